import { foldWords, weekdays } from '../../base/time/calendar-words.ts'
import { weekdayOf } from '../../base/time/dates.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { textAt } from './brief.ts'
import type { Rule, RuleProblem } from './rule.ts'
import { labelOf, storedText, textRule } from './texts.ts'

/** A name as it should be written: single blanks, no markup, and one sign at its end. */
const tidied = (name: string): string =>
  name
    .replace(/<\/?[a-z][^<>]*>/gi, ' ')
    .replace(/\s+/g, ' ')
    .replace(/([!?])\1{2,}/g, '$1')
    .trim()

const untidyName = textRule(nameOf, {
  id: 'untidy-name',
  level: 'warning',
  finds: () => phrase('a title or name has HTML, unnecessary spaces, or repeated punctuation: Concert!!!!!'),
  why: () => phrase('lists and search engines show it unchanged'),
  remedy: () => phrase('write it plainly; --fix does that where it can read the stored text'),
  fixes: true,
  faultIn(name, field) {
    const fixed = tidied(name)
    return name === '' || fixed === name ? undefined : { message: faultOf(name, field), fixed }
  },
})

function* nameOf(record: Answer, { title }: Resource): Generator<[name: string, text: string]> {
  yield [title, storedText(record, title)]
}

function faultOf(name: string, field: string): string {
  if (/<\/?[a-z]/i.test(name)) return phrase('has HTML in {field}', { field })
  return /([!?])\1{2,}/.test(name)
    ? phrase('has repeated punctuation in {field}', { field })
    : phrase('has unnecessary spaces in {field}', { field })
}

const capitals: Rule = {
  id: 'capitals',
  level: 'info',
  finds: () => phrase('a title is in capitals alone: CONCERT DE NADAL'),
  why: () => phrase('it is hard to read, and screen readers may spell it'),
  remedy: () => phrase('write it with capitals only where they belong'),
  resources: ['events'],
  *check(record): Generator<RuleProblem> {
    const title = storedText(record, 'title')
    const words = title.match(/\p{L}{4,}/gu) ?? []
    if (words.length < 2 || title !== title.toUpperCase()) return
    yield { message: phrase('is in capitals alone'), field: 'title', update: '--title TITLE' }
  },
}

/** Patterns of facts that have a field of their own and should not be in a title. */
const facts: readonly (readonly [says: () => string, pattern: RegExp])[] = [
  [() => phrase('has an e-mail address in title'), /[\w.+-]{1,64}@[\w-]{1,64}\.\w{2,}/],
  [() => phrase('has an address of the web in title'), /https?:\/\/|\bwww\./i],
  [
    () => phrase('has a phone number in title'),
    /(?<!\d)(?:\+?\d{2,3}[ .-]?)?[6-9]\d{2}[ .-]?\d{2,3}[ .-]?\d{2,3}(?:[ .-]?\d{2})?(?!\d)/,
  ],
  [() => phrase('has a date in title'), /(?<![\d/])\d{1,2}\/\d{1,2}(?:\/\d{2,4})?(?![\d/])/],
  [() => phrase('has an hour in title'), /(?<!\d)\d{1,2}[.:]\d{2}\s?h\b/i],
]

const factsInTitle: Rule = {
  id: 'facts-in-title',
  level: 'info',
  finds: () => phrase('a title has a phone number, an address, a date or an hour'),
  why: () => phrase('they have their own fields, which stay correct when the event is moved'),
  remedy: () => phrase('move them to their fields, or to the description'),
  resources: ['events'],
  *check(record): Generator<RuleProblem> {
    const title = storedText(record, 'title')
    const [says] = facts.find(([, pattern]) => pattern.test(title)) ?? []
    if (says) yield { message: says(), field: 'title', update: '--title TITLE' }
  },
}

const dayContradicted: Rule = {
  id: 'day-contradicted',
  level: 'warning',
  finds: () => phrase('the text of an event names another day of the week for its date: "diumenge 5" on a Saturday'),
  why: () => phrase('readers do not know which of the two is right'),
  remedy: () => phrase('correct the text or the date'),
  resources: ['events'],
  *check(record, resource): Generator<RuleProblem> {
    const start = textAt(record, 'start_date').slice(0, 10)
    if (start === '') return
    const day = weekdayOf(start)
    for (const name of ['title', 'excerpt', 'description']) {
      const text = foldWords(storedText(record, name).replace(/<[^<>]*>/g, ' '))
      for (const [words, word = '', date] of text.matchAll(
        /\b([a-z]{5,9}),? (?:dia |el |the )?(\d{1,2})\b(?![.:h])/g,
      )) {
        const named = weekdays.findIndex(names => names.includes(word))
        if (named < 0 || named === day || Number(date) !== Number(start.slice(8))) continue
        yield {
          message: phrase('says "{words}" in {field}, and is on {day}', {
            words,
            field: labelOf(name, resource),
            day: start,
          }),
          field: name,
        }
      }
    }
  },
}

export const wording: readonly Rule[] = [untidyName, capitals, factsInTitle, dayContradicted]
