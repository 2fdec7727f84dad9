import { groupedWithKey } from '../../base/groups.ts'
import { keyOf, keyWithin, type MatchKey, nameKey } from '../../base/text/match-key.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Pairing } from '../../client/client.ts'
import type { Language } from '../../contract/languages.ts'
import { languageName } from '../../contract/resource-words.ts'
import { type EventBrief, mostCommon, type TranslationMember } from './brief.ts'
import type { ComparedProblem, LintContext, Rule } from './rule.ts'

type KeyIn<T> = (one: T) => MatchKey | undefined

/** Events that belong together: those with the same title, and those whose slugs differ only in the number at the end. */
function* seriesIn<T>(all: readonly T[], titleOf: KeyIn<T>, stemOf: KeyIn<T>): Generator<T[]> {
  for (const keyIn of [titleOf, stemOf])
    for (const series of groupedWithKey(all, keyIn).values()) if (series.length > 1) yield series
}

const isUpcoming = ({ until, status }: EventBrief, { now }: LintContext): boolean =>
  !(until < now) && status !== 'trash'

const image: Rule = {
  id: 'image-unlike-series',
  level: 'info',
  finds: () => phrase('an upcoming event has no image, although others of its title or slug have one'),
  why: () => phrase('in a list of the series, one event looks as if it were something else'),
  remedy: () => phrase('give it the image of the others; the threshold is how many others must have one'),
  resources: ['events'],
  limits: { events: 2 },
  *compare({ events: all }, context): Generator<ComparedProblem> {
    const { events: least = 0 } = context.limitsOf(this)
    const named = new Set<EventBrief>()
    const titleOf = ({ name }: EventBrief) => nameKey(name)
    for (const series of seriesIn(all, titleOf, ({ stem }) => keyOf(stem))) {
      const illustrated = series.filter(event => event.image !== undefined && event.image > 0)
      const usual = mostCommon(illustrated, event => event.image)
      if (!usual || illustrated.length < least) continue
      for (const event of series) {
        if (event.image !== 0 || named.has(event) || !isUpcoming(event, context)) continue
        named.add(event)
        yield {
          of: event,
          message: phrase(
            'has no image; {count, plural, one {# other of its series has one} other {# others of its series have one}}',
            { count: illustrated.length },
          ),
          field: 'image',
          update: `--image ${usual.value}`,
        }
      }
    }
  },
}

/** An event in the languages that it has. */
interface TranslatedEvent {
  readonly brief: EventBrief
  readonly languages: ReadonlySet<Language>
}

const translation: Rule = {
  id: 'translation-unlike-series',
  level: 'info',
  finds: () =>
    phrase('an upcoming event lacks a translation that others of its title or slug have; checked only with --lang all'),
  why: () => phrase('people who read that language believe that it does not take place'),
  remedy: () => phrase('translate it; the threshold is how many others must have the translation'),
  resources: ['events'],
  limits: { events: 2 },
  async *compareLanguages(facts, context): AsyncGenerator<ComparedProblem> {
    const { events: least = 0 } = context.limitsOf(this)
    const pairings = await context.client.pairings?.of('events')
    const all = translatedEvents([...facts.ofEvents()], pairings ?? [])
    const missing = new Map<TranslatedEvent, Set<Language>>()
    const titleOf = ({ brief }: TranslatedEvent) => keyWithin(String(brief.lang_code), nameKey(brief.name))
    for (const series of seriesIn(all, titleOf, ({ brief }) => keyOf(brief.stem)))
      for (const language of context.languages)
        for (const event of eventsWithout(series, language, least))
          if (isUpcoming(event.brief, context))
            missing.set(event, (missing.get(event) ?? new Set<Language>()).add(language))
    for (const [{ brief }, languages] of missing)
      for (const language of languages)
        yield {
          of: brief,
          message: phrase('has no translation in {language}; others of its series do', {
            language: languageName(language),
          }),
          command: `languages copy ${brief.id} --from ${brief.lang_code} --to ${language}`,
        }
  },
}

/** The events of a series that lack a language which enough others have. */
function eventsWithout(series: readonly TranslatedEvent[], language: Language, least: number) {
  const without = series.filter(event => !event.languages.has(language))
  return series.length - without.length < least ? [] : without
}

/** Events grouped with their translations. Slugs are the same in all languages, or calctl remembers which events belong together. */
function translatedEvents(
  sets: readonly (readonly TranslationMember[])[],
  pairings: readonly Pairing[],
): TranslatedEvent[] {
  const languageOf = new Map(sets.flat().map(({ brief, language }) => [brief.id, language]))
  const paired = new Map<number, number[]>()
  for (const ids of pairings.map(pairing => Object.values(pairing)))
    for (const id of ids) paired.set(id, [...(paired.get(id) ?? []), ...ids])
  return sets.flatMap(members => {
    const [first] = members
    const ids = members.flatMap(({ brief }) => [brief.id, ...(paired.get(brief.id) ?? [])])
    // Remembered events may have been deleted since.
    const languages = new Set(ids.flatMap(id => languageOf.get(id) ?? []))
    return first ? [{ brief: { ...(first.brief as EventBrief), lang_code: first.language }, languages }] : []
  })
}

export const series: readonly Rule[] = [image, translation]
