/**
 * Marks for the status of an event on sites that do not store one: a word before the title, and a tag. Input: a change with a status.
 * Output: the change that the site can make.
 */
import { memoizeByObject, once } from '../../base/memoize.ts'
import { decodeEntities } from '../../base/text/escaping.ts'
import { isObject } from '../../base/text/json.ts'
import { interfaceLanguage, phrase } from '../../base/words/phrase.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { type EventStatus, eventStatuses, statusMarks, unmarkedTitle } from '../../contract/event-status.ts'
import { isLanguage, type Language } from '../../contract/languages.ts'
import { storedValue } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Reads, Values } from '../client.ts'
import { type CreatesMissing, createsMissing } from '../name-lookup.ts'
import { showsStored } from './shown-stored-records.ts'

/** The parts of a change that can carry the mark of a status. */
interface Marked {
  readonly values: Values
  readonly add?: Values
  readonly remove?: Values
}

/** A change with marks in place of a status that the site does not store. */
export type AsMarks = <C extends Marked>(resource: Resource, change: C, before?: Answer) => Promise<C>

export function createMarks(
  client: Reads,
  { notice, createMissing }: { notice(text: string): Promise<void>; createMissing?: CreatesMissing | undefined },
): AsMarks {
  let isSaid = false
  const keepsStatus = memoizeByObject(
    async (resource: Resource) =>
      client.capabilities.takesEveryValue || showsStored(client, { resource }, { askAgain: true }),
  )
  const names = once(async () => (await import('../find/name-search.ts')).createNameSearch(client))
  const tagFor = async (name: string): Promise<unknown[]> => {
    const [tag] = await (await names()).find(resourceNamed('tags'), name)
    if (tag) return [tag.id]
    return createsMissing(createMissing, 'tags') ? [name] : []
  }
  const sayOnce = async (text: string | undefined) => {
    if (!isSaid && text !== undefined) await notice(text)
    isSaid = true
  }
  return async (resource, change, before) => {
    const { event_status: asked, event_status_reason: reason, ...others } = change.values
    if (await keepsStatus(resource)) return change
    const status = eventStatuses.find(one => one === asked)
    const language = languageOf(client, before)
    await sayOnce(status && sentence(client, status, language, reason))
    if (asked === undefined) return { ...change, values: others }
    const title = titleOf(change.values, before)
    const marks = {
      values: { ...others, title: status ? markedTitle(title, status, language) : unmarkedTitle(title) },
      remove: withTags(change.remove, tagsOf(before, status)),
    }
    if (!status) return { ...change, ...marks }
    const tags = await tagFor(statusMarks[status][language])
    // A new event has nothing to add to.
    return before
      ? { ...change, ...marks, add: withTags(change.add, tags) }
      : { ...change, values: withTags(marks.values, tags) }
  }
}

/** The title that a change gives an event, or the one that it has. */
const titleOf = ({ title }: Values, before: Answer | undefined): string =>
  String(title ?? (before && (storedValue('title', before) ?? decodeEntities(String(before.title)))) ?? '')

function languageOf(client: Reads, before: Answer | undefined): Language {
  const language = before?.lang_code ?? client.language ?? client.languages().own ?? interfaceLanguage()
  return isLanguage(language) ? language : 'en'
}

const withTags = (values: Values = {}, tags: readonly unknown[]): Values =>
  tags.length > 0 ? { ...values, tags: [...[values.tags ?? []].flat(), ...tags] } : values

/** The tags of an event that say another status. */
function tagsOf(before: Answer | undefined, status: EventStatus | undefined): number[] {
  const others = eventStatuses.filter(one => one !== status).flatMap(one => Object.values(statusMarks[one]))
  return [before?.tags ?? []]
    .flat()
    .filter(isObject)
    .filter(({ name }) => others.includes(decodeEntities(String(name))))
    .map(({ id }) => Number(id))
}

function sentence({ calendar }: Reads, status: EventStatus, language: Language, reason: unknown): string {
  const mark = statusMarks[status][language]
  const places = { site: calendar.label, mark, word: mark.toUpperCase() }
  return reason
    ? phrase(
        '{site} keeps no status of events, nor a reason: "{word}" goes before the title, and "{mark}" among the tags',
        places,
      )
    : phrase('{site} keeps no status of events: "{word}" goes before the title, and "{mark}" among the tags', places)
}

/** `CANCEL·LAT: Concert de Nadal` */
export const markedTitle = (title: string, status: EventStatus, language: Language): string =>
  `${statusMarks[status][language].toUpperCase()}: ${unmarkedTitle(title)}`
