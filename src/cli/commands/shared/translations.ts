import { ignoreFailure } from '../../../base/attempt.ts'
import { listOf } from '../../../base/text/sentence-parts.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { otherRecords, SetReader } from '../../../care/translations/read-sets.ts'
import type { Plan } from '../../../changes/plan/plan.ts'
import type { Client } from '../../../client/client.ts'
import { languageOf } from '../../../client/languages/known-languages.ts'
import { type Language, languages } from '../../../contract/languages.ts'
import { statusLabel } from '../../../contract/post-status.ts'
import type { Answer, Resource } from '../../../contract/resource.ts'
import { languageName } from '../../../contract/resource-words.ts'
import type { App } from '../../app.ts'
import { isYes, showBefore } from './confirmation.ts'

/** A record in another language. */
type Translation = readonly [language: Language, record: Answer]

/** At most this many records are looked up in the other languages, only to say that they exist. */
export const mostLookedUp = 10

/** Whether there may be translations, according to the answers so far. */
export const mayHaveTranslations = (client: Client): boolean => client.languages().all.length > 1

/**
 * The translations of records, with one request for each record and language; none if no answer has shown other languages. Undefined if
 * they cannot be read at once, because only a notice depends on them.
 */
export async function readTranslations(client: Client, resource: Resource, records: readonly Answer[]) {
  if (!mayHaveTranslations(client)) return []
  const reader = new SetReader({ client })
  const ids = new Set(records.map(({ id }) => id))
  const found: Translation[] = []
  try {
    for (const [language, own] of byLanguage(client, records)) {
      const trashed = own.every(({ status }) => status === 'trash')
      const sets = await reader.setsOf({ resource, language, records: own, trashed, onlyQuick: true })
      for (const set of new Set(sets.values())) found.push(...otherRecords(set, language))
    }
  } catch (error) {
    return ignoreFailure(error)
  }
  const others = found.filter(([, { id }]) => !ids.has(id))
  return languages.flatMap(language => others.filter(([other]) => other === language))
}

function byLanguage(client: Client, records: readonly Answer[]): Map<Language, Answer[]> {
  const groups = new Map<Language, Answer[]>()
  for (const record of records) {
    const language = languageOf(client, record)
    if (language) groups.set(language, [...(groups.get(language) ?? []), record])
  }
  return groups
}

/** `English 92, Spanish 91 (draft)` */
export const translationNames = (translations: readonly Translation[]): string =>
  translations
    .map(([language, { id, status }]) => {
      const mark =
        status === undefined || status === 'publish' || status === 'trash' ? '' : ` (${statusLabel(String(status))})`
      return `${languageName(language)} ${id}${mark}`
    })
    .join(', ')

/** `English 92, Spanish 91`, `English 92; none in Spanish`: the other languages of a record; nothing if they cannot be read at once. */
export const translationsText = (app: App, client: Client, resource: Resource, record: Answer): Promise<string> =>
  app.briefly(() => textOf(client, resource, record))

async function textOf(client: Client, resource: Resource, record: Answer): Promise<string> {
  const found = await readTranslations(client, resource, [record])
  if (!found) return ''
  const there = new Set([languageOf(client, record), ...found.map(([language]) => language)])
  const missing = client.languages().all.filter(language => !there.has(language))
  return [
    translationNames(found),
    missing.length > 0 && phrase('none in {list}', { list: listOf(missing.map(languageName), 'or') }),
  ]
    .filter(part => part)
    .join('; ')
}

/** A line for each record that was read. */
export const translationLines = (app: App, client: Client, resource: Resource, records: readonly Answer[]) =>
  app.briefly(async () => {
    const lines: string[] = []
    for (const record of records.slice(0, mostLookedUp)) {
      const text = await textOf(client, resource, record)
      if (text === '') break
      lines.push(
        records.length > 1
          ? phrase('translations of {id}: {list}', { id: record.id, list: text })
          : phrase('translations: {list}', { list: text }),
      )
    }
    return lines
  })

/** Records to write, and whether their translations are to be written, too. */
interface Followed {
  readonly resource: Resource
  readonly records: readonly Answer[]
  /** What will be written. */
  readonly plan: Plan
  /** What the options say about the translations, if anything. */
  readonly wish: boolean | undefined
}

/**
 * Whether translations are to be written, too: asks at a terminal, after showing what changes, because readers of all languages come on the
 * same day. False if there are none, or nobody can be asked.
 */
export async function followTranslations(app: App, { resource, records, plan, wish }: Followed): Promise<boolean> {
  if (wish !== undefined) return wish
  if (plan.steps.length === 0 || (!app.canAsk && !app.globals.yes)) return false
  const client = await app.client({ toPlan: true })
  const found = await readTranslations(client, resource, records)
  if (!found || found.length === 0) return false
  if (app.globals.yes) return true
  const { plannedSentences } = await import('../../../changes/plan/step-lines.ts')
  await showBefore(app, await plannedSentences(client, [...plan.steps], app.world.now()), plan.steps.length)
  const question = phrase('Change the {count, plural, one {translation} other {translations}} too: {names}?', {
    count: found.length,
    names: translationNames(found),
  })
  return isYes(app, question, 'yes')
}
