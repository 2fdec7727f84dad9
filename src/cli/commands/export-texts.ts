import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Failure } from '../../base/failure.ts'
import { makeFolder, reason, writeAtomically } from '../../base/fs.ts'
import { escapeFormula, shellWord } from '../../base/text/escaping.ts'
import { listOfFirst } from '../../base/text/similarity.ts'
import { phrase } from '../../base/words/phrase.ts'
import { SetReader } from '../../care/translations/read-sets.ts'
import type { textsToTranslate } from '../../care/translations/texts-to-translate.ts'
import type { Client, Values } from '../../client/client.ts'
import { chosenLanguages } from '../../client/languages/known-languages.ts'
import type { Criteria } from '../../client/selection/criteria.ts'
import { exportOrigin } from '../../client/site-discovery.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Language } from '../../contract/languages.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { languageName, recordNoun } from '../../contract/resource-words.ts'
import type { OutgoingRecord, XliffVersion } from '../../files/texts/write-xliff.ts'
import type { App } from '../app.ts'
import { contentLanguage } from './shared/language-options.ts'
import { createPublicOnly, type PublicOnly } from './shared/public-events.ts'

interface XliffOptions {
  readonly folder: string
  /** The languages to translate into; undefined for all others. */
  readonly into: readonly string[] | undefined
  readonly version: XliffVersion | undefined
  readonly resources: readonly Resource[]
  readonly criteria: Criteria
}

/** The contents of the file for a language. */
interface TextsInto {
  readonly records: OutgoingRecord[]
  /** Records that have no translation into which texts could be filled. */
  readonly missing: [Resource, Answer][]
}

/** `export --xliff`: writes a file for each language to translate into, with the texts of the records and of their translations. */
export async function exportXliff(
  app: App,
  client: Client,
  { folder, into, version, resources, criteria }: XliffOptions,
) {
  const { from, to: targets } = await chosenLanguages(client, { to: into, toFlag: '--into' })
  const sets = new SetReader({ client })
  const paths = new Map(targets.map(language => [language, join(folder, `${from}-${language}.xlf`)]))
  for (const path of paths.values()) checkNew(resolve(app.world.cwd, path), path)
  const texts = await readTexts(client, resources, { from, to: targets, criteria, sets })
  for (const [to, path] of paths) {
    const { records, missing } = texts.get(to) ?? { records: [], missing: [] }
    if (missing.length > 0) await app.notice(missingNotice(to, from, missing, client))
    if (records.length > 0) await writeTextFile(app, client, records, { from, to, path, version })
    else
      await app.notice(
        phrase('{path} not written: nothing to translate into {language}', { path, language: languageName(to) }),
      )
  }
}

async function readTexts(
  client: Client,
  resources: readonly Resource[],
  reading: Parameters<typeof textsToTranslate>[2],
): Promise<Map<Language, TextsInto>> {
  const { textsToTranslate } = await import('../../care/translations/texts-to-translate.ts')
  const all = new Map(reading.to.map((language): [Language, TextsInto] => [language, { records: [], missing: [] }]))
  for (const resource of resources)
    for (const [language, { records, missing }] of await textsToTranslate(client, resource, reading)) {
      for (const record of records) all.get(language)?.records.push(record)
      for (const record of missing) all.get(language)?.missing.push([resource, record])
    }
  return all
}

interface TextFile {
  readonly from: Language
  readonly to: Language
  readonly path: string
  readonly version: XliffVersion | undefined
}

async function writeTextFile(
  app: App,
  { calendar }: Client,
  records: readonly OutgoingRecord[],
  { from, to, path, version }: TextFile,
): Promise<void> {
  const { writeXliff } = await import('../../files/texts/write-xliff.ts')
  const pieces: string[] = []
  for await (const piece of writeXliff({ origin: exportOrigin(calendar), from, to }, records, version))
    pieces.push(piece)
  await write(resolve(app.world.cwd, path), path, pieces.join(''))
  const texts = records.flatMap(({ texts }) => texts)
  const open = texts.filter(({ source, target }) => target.trim() === '' || target === source).length
  const command = `calctl apply ${shellWord(path)}${calendar.flags ?? ''}`
  await app.notice(
    phrase(
      'wrote {texts, plural, one {# text} other {# texts}} of {records, plural, one {# record} other {# records}} to {path}{open, plural, =0 {} one {, # text not translated yet} other {, # texts not translated yet}}; apply the translations with: {command}',
      { texts: texts.length, records: records.length, path, open, command },
    ),
  )
}

/** Refuses to overwrite a file, on which a translator may have worked. */
function checkNew(path: string, name: string): void {
  if (existsSync(path))
    throw new Failure('usage', phrase('{name} already exists, and may contain translations', { name }), {
      hint: phrase('name another folder, or move it away first'),
    })
}

async function write(path: string, name: string, text: string): Promise<void> {
  try {
    makeFolder(resolve(path, '..'))
    await writeAtomically(path, text)
  } catch (error) {
    throw new Failure(
      'settings',
      phrase('cannot write {file}: {reason}', { file: name, reason: reason(error as NodeJS.ErrnoException) }),
      {
        hint: phrase('name another folder'),
      },
    )
  }
}

const namedAtMost = 5

function missingNotice(to: Language, from: Language, missing: readonly [Resource, Answer][], client: Client): string {
  const names = missing.map(([{ name }, { id }]) => `${recordNoun(name)} ${id}`)
  const list = listOfFirst(names, namedAtMost, 'other')
  const which = whatToCopy(missing)
  return phrase(
    'skipped {count, plural, one {# record} other {# records}} without {to, select, en {an} es {an} other {a}} {to} translation: {list}; create {count, plural, one {it} other {them}} first with: {command}',
    {
      count: missing.length,
      to,
      list,
      command: `calctl languages copy ${which} --from ${from} --to ${to}${client.calendar.flags ?? ''}`,
    },
  )
}

/** `events 66 67`, `venues`; for several resources the events, with the records to which they link. */
function whatToCopy(missing: readonly [Resource, Answer][]): string {
  const [name, ...others] = new Set(missing.map(([resource]) => resource.name))
  if (others.length > 0) return '--all-dates --create-missing'
  if (missing.length <= namedAtMost) return [name, ...missing.map(([, { id }]) => id)].join(' ')
  return name === 'events' ? '--all-dates' : String(name)
}

const resource = resourceNamed('events')

interface LeafletOptions {
  readonly format: 'csv' | 'tsv' | 'xlsx'
  readonly excel: boolean
  readonly criteria: Criteria
}

/** `export --human`: the events that everybody can see, or those of --status, as a sheet for a leaflet. */
export async function exportLeaflet(app: App, client: Client, options: LeafletOptions): Promise<void> {
  const { format, excel, criteria } = options
  const { leafletRow } = await import('../../files/export/leaflet.ts')
  const { leafletHeadings } = await import('../../files/csv/leaflet-headings.ts')
  const { peek } = await import('../../files/text-streams.ts')
  const publicOnly = criteria.filters.status === undefined ? createPublicOnly(resource) : undefined
  const { peeked, all } = await peek(eventsOf(client, criteria, publicOnly), events => events.length > 0)
  const language = contentLanguage(app, client, peeked)
  async function* rows<Cell>(cellOf: (day: string) => Cell) {
    for await (const event of all) yield leafletRow(event, cellOf)
  }
  const { writtenDay } = await import('../../base/time/calendar-words.ts')
  const inWords = (day: string) => writtenDay(day, language)
  const headings = leafletHeadings(language)
  if (format === 'xlsx') {
    const { writeXlsx } = await import('../../files/workbook/write-xlsx.ts')
    const { dayCell } = await import('../../files/csv/number-formats.ts')
    const days = rows(day => dayCell(day, language) ?? inWords(day))
    const sheet = { name: resource.words[language], headings, rows: days }
    for await (const bytes of writeXlsx([sheet])) await app.world.stdout.write(bytes)
  } else {
    const { sheetStyle, writeRows } = await import('../../files/csv/write-csv.ts')
    async function* safeRows() {
      for await (const row of rows(inWords)) yield row.map(escapeFormula)
    }
    for await (const text of writeRows(headings, safeRows(), sheetStyle(format, excel)))
      await app.world.stdout.write(text)
  }
  const omitted = publicOnly?.notice()
  if (omitted !== undefined) await app.notice(omitted)
}

async function* eventsOf(client: Client, criteria: Criteria, publicOnly?: PublicOnly): AsyncGenerator<Answer> {
  const { wholeListQuery } = await import('../../client/find/whole-lists.ts')
  const { withRawValues } = await import('../../client/adapters/stored-records.ts')
  const { select } = await import('../../client/selection/criteria.ts')
  const { selectedPages } = await import('../../client/selection/criteria.ts')
  const selection = await select(client, resource, criteria)
  const query = (filters: Values) => wholeListQuery({ resource }, { ...filters, ...publicOnly?.query })
  for await (const { records } of selectedPages(client, resource, selection, query))
    yield* await withRawValues(client, resource, publicOnly?.of(records) ?? records, { language: client.language })
}
