import { phrase } from '../../base/words/phrase.ts'
import { SetReader } from '../../care/translations/read-sets.ts'
import { selectedSets } from '../../care/translations/set-status.ts'
import type { TranslationSet } from '../../care/translations/sets.ts'
import type { Reads, Values } from '../../client/client.ts'
import { languagesToRead } from '../../client/languages/known-languages.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { allDates, dateFilterNames } from '../../contract/filter.ts'
import { isNone } from '../../contract/kinds/kind-values.ts'
import { type Language, languages } from '../../contract/languages.ts'
import { isUnpublished, noDate } from '../../contract/post-status.ts'
import { type Answer, titleOf } from '../../contract/resource.ts'
import { fieldLabel, languageName, recordCount } from '../../contract/resource-words.ts'
import type { App } from '../app.ts'
import { readCriteria, typedFilters } from './shared/chosen-criteria.ts'
import type { CriteriaOptions } from './shared/criteria-options.ts'
import type { TranslationOptions } from './shared/language-options.ts'
import { daysGiven } from './shared/options.ts'
import { isShownAsTable } from './shared/output-forms.ts'
import { queueShape } from './shared/output-shapes.ts'

export interface QueueOptions extends CriteriaOptions, TranslationOptions {
  readonly complete?: true
}

const events = resourceNamed('events')

/** What an event should have before visitors see it. */
const expected = ['image', 'venue', 'cost', 'description'] as const

/** calctl queue: prints the drafts and the pending events, those that were saved longest ago first, with what each lacks. */
export async function showQueue(app: App, options: QueueOptions & Values): Promise<void> {
  const typed = await typedFilters([events], options)
  const isDated = daysGiven(options).length > 0 || dateFilterNames(events.filters).some(name => name in typed)
  const filters = { status: ['draft', 'pending'], ...(isDated ? {} : allDates), ...typed }
  const client = await app.client()
  const order = await languagesOf(client)
  const criteria = await readCriteria(app, client, { resources: [events], filters, options })
  const sets = new SetReader({ client, match: options.match })
  const found = await selectedSets({ client, resource: events, criteria, languages: order, sets })
  const rows = found
    .flatMap(set => rowsOf(set, order))
    .filter(event => !options.complete || isComplete(event))
    .toSorted((a, b) => a.since.localeCompare(b.since) || a.id - b.id)
  await app.print(queueShape, isShownAsTable(app) ? rows.map(inWords) : rows)
  await sayHowToPublish(app, rows)
}

/** The languages in which there are records, that of the calendar first: no event waits for another one. */
async function languagesOf(client: Reads): Promise<readonly Language[]> {
  await languagesToRead(client)
  const { own = languages[0], all } = client.languages()
  return [own, ...all.filter(language => language !== own)]
}

/** A row for each event of a set that waits. */
const rowsOf = ({ records }: TranslationSet, order: readonly Language[]) =>
  [...records]
    .filter(([, record]) => isUnpublished(String(record.status)))
    .map(([language, record]) => ({
      id: record.id,
      title: titleOf(events, record),
      status: String(record.status),
      start_date: record.start_date,
      lang_code: language,
      author: record.author,
      since: savedAt(record),
      lacks: expected.filter(name => isMissing(record, name)),
      untranslated: order.filter(other => !records.has(other)),
    }))

type WaitingEvent = ReturnType<typeof rowsOf>[number]

const isComplete = ({ lacks, untranslated }: WaitingEvent): boolean => lacks.length + untranslated.length === 0

/** When an event was saved last. A draft that was never published has no time in UTC, and its date is that of its last change. */
const savedAt = ({ modified_utc: utc, date }: Answer): string => String(utc === noDate ? date : utc)

/** Whether a field is empty; what a site does not show is not known to be. */
const isMissing = (record: Answer, name: string): boolean => record[name] !== undefined && isNone(record[name])

const inWords = (event: WaitingEvent) => ({
  ...event,
  since: event.since.slice(0, 10),
  lacks: [
    ...event.lacks.map(name => fieldLabel(name, events.fields[name])),
    ...event.untranslated.map(languageName),
  ].join(', '),
})

async function sayHowToPublish(app: App, rows: readonly WaitingEvent[]): Promise<void> {
  const ready = rows.filter(isComplete)
  const waiting = recordCount(rows.length, 'events')
  if (rows.length === 0) return app.notice(phrase('nothing waits to be published'))
  if (ready.length === 0) return app.notice(phrase('waiting: {waiting}; each lacks something', { waiting }))
  const command = `calctl events publish ${ready.map(({ id }) => id).join(' ')}`
  await app.notice(phrase('waiting: {waiting}; publish what is complete: {command}', { waiting, command }))
}
