import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { asFailure, someFailed, usage } from '../../../base/failure.ts'
import { reason } from '../../../base/io-reasons.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { planFromRecords } from '../../../changes/plan/making/from-files.ts'
import { invalidLines, summaryLines } from '../../../changes/plan/step-lines.ts'
import { executePlan } from '../../../changes/run/execute.ts'
import type { Client } from '../../../client/client.ts'
import { calendarApi, createClient } from '../../../client/create-client.ts'
import { isImageUrl } from '../../../client/images/image-sources.ts'
import { documentedNamespace, resources } from '../../../contract/contract.ts'
import { isLanguage, languages } from '../../../contract/languages.ts'
import { exportRecords } from '../../../files/export/export-records.ts'
import type { FileRecord, WritableRecord } from '../../../files/records/file-record.ts'
import { createService } from '../../../service/service.ts'
import { isSystemError } from '../../../service/store/disk.ts'
import type { FileReport } from '../../../service/store/file-follower.ts'
import type { FileStore } from '../../../service/store/file-store.ts'
import { memoryStore, withSettings } from '../../../service/store/memory-store.ts'
import { type OpenOptions, openStore } from '../../../service/store/open-calendar-file.ts'
import type { Site } from '../../../service/store/rows.ts'
import type { Store } from '../../../service/store/store.ts'
import type { App } from '../../app.ts'
import { connect } from '../../connect/connect.ts'
import { missingFile, requireFolder } from '../../profiles/config.ts'
import { dataFile } from '../../profiles/user-folders.ts'
import type { ServeOptions, Settings } from './serve-settings.ts'

/** Opens the calendar to serve; with --from, fills it with a copy of another calendar, with --demo, with the demo. */
export async function openStoreFor(app: App, settings: Settings, options: ServeOptions, url: string): Promise<Store> {
  const { from, file, ...others } = options
  const isDemo = app.globals.demo === true
  if (from === undefined && options.copyImages)
    throw usage(phrase('--copy-images requires --from'), phrase('name the profile to copy: --from PROFILE'))
  if (from === undefined && !isDemo) return openCalendar(app, settings, options, url)
  if (file !== undefined) requireNewFile(resolve(app.world.cwd, file), file, isDemo ? '--demo' : '--from')
  // The file is written once the copy is complete, so that a failure leaves no incomplete file.
  const copy = isDemo
    ? await openDemo(settings.now(), siteOf(app, settings))
    : await openCalendar(app, settings, { ...others, memory: true }, url)
  if (from !== undefined) await copyCalendar(app, copy, from, options.copyImages === true)
  if (file === undefined || options.memory) return copy
  const store = await openCalendar(app, settings, options, url)
  await addFiles(store, copy)
  await store.restore(copy.snapshot())
  return store
}

function requireNewFile(path: string, file: string, option: string): void {
  if (existsSync(path))
    throw usage(
      phrase('{file} already exists, and {option} needs a new file', { file, option }),
      phrase('serve it with: calctl serve --file {file}', { file }),
    )
  requireFolder(path)
}

/** The requested settings of a calendar. */
const siteOf = ({ globals }: App, { timezone }: Settings): Partial<Site> => ({
  ...(isLanguage(globals.lang) && { language: globals.lang }),
  ...(timezone !== undefined && { timezone }),
})

/** Copies the uploaded images of a calendar into another one, before records there refer to them. */
async function addFiles({ files }: Store, from: Store): Promise<void> {
  for (const { url } of from.table('images').values()) {
    const bytes = await from.files.read(url)
    if (bytes) await files.add(url, bytes)
  }
}

/** Opens a calendar in memory, a file, or the embedded calendar. Processes waiting for the file learn the URL. */
async function openCalendar(app: App, settings: Settings, options: ServeOptions, url: string): Promise<Store> {
  const { world } = app
  const { now } = settings
  const site = siteOf(app, settings)
  const fresh: Site = { language: 'ca', timezone: world.timeZone(), quirks: false, ...site }
  if (options.memory && options.file === undefined) return memoryStore(fresh)
  const file = options.file === undefined ? dataFile(world) : resolve(world.cwd, options.file)
  const { readOnly = false, repair = false } = options
  if (options.file !== undefined) requireFolder(file)
  const missing = options.file !== undefined && (readOnly || options.memory) ? missingFile(file) : undefined
  if (missing) throw missing
  const common = { file, now, repair, signal: world.stopping() }
  if (options.memory) return copyInMemory(common, site)
  const isNew = !existsSync(file)
  const report: FileReport = {
    notice: text => void app.notice(text),
    warning: text => void world.stderr.write(`${phrase('warning: {text}', { text })}\n`),
  }
  const store = await openStore({ ...common, readOnly, report, create: !readOnly, ...(isNew && { site: fresh }) })
  announce(store, url, file, report)
  for (const aside of store.keptAside) await app.notice(phrase('moved the damaged data to {aside}', { aside }))
  return isNew ? store : withSettings(store, site)
}

/** Tells processes that want the file where it is served, if that can be written. */
function announce(store: FileStore, url: string, file: string, report: FileReport): void {
  try {
    store.announce(url)
  } catch (error) {
    if (!isSystemError(error)) throw error
    report.warning(phrase('cannot note in {file}.lock where it is served: {reason}', { file, reason: reason(error) }))
  }
}

async function openDemo(now: Date, overrides: Partial<Site>): Promise<Store> {
  const { demoRows } = await import('../../../service/demo/demo.ts')
  const { site, rows, files } = demoRows(now)
  return memoryStore({ ...site, ...overrides }, rows, files)
}

async function copyInMemory(options: OpenOptions, overrides: Partial<Site>): Promise<Store> {
  const original = await openStore({ ...options, readOnly: true })
  const copy = memoryStore({ ...original.site, ...overrides }, {}, original.files)
  await copy.restore(original.snapshot())
  await original.close()
  return copy
}

/** Fills an empty calendar with all records of a profile's calendar, in every language. */
async function copyCalendar(app: App, store: Store, profile: string, copiesImages: boolean): Promise<void> {
  const { world, globals, notice } = app
  // These options are about the server, not about the calendar to copy.
  const { lang: _lang, namespace: _namespace, baseUrl: _baseUrl, ...others } = globals
  const source = await connect({ world, globals: { ...others, profile }, notice, traffic: await app.traffic() })
  const stopping = world.stopping()
  const stop = () => void source.close()
  if (stopping.aborted) stop()
  stopping.addEventListener('abort', stop)
  try {
    const { client } = source
    const criteria = { filters: {} }
    const records = exportRecords({ client, resources: resources.toReversed(), languages, criteria, notice })
    const download = async (url: string) =>
      (await import('../../connect/download.ts')).downloadImage({ ...app, globals, traffic: await app.traffic() }, url)
    const copy = clientFor(store, world.now, download)
    const context = { client: copy, now: world.now(), zone: store.site.timezone, notice }
    const found = copiesImages ? withCopiedImages(records, copy, notice) : records
    const plan = await planFromRecords(fileRecords(found), context, { createMissing: true })
    const { results } = await executePlan(plan, { client: copy, now: () => world.now().getTime() })
    const failures = [...results.values()].flatMap(({ failure }) => failure ?? [])
    if (failures.length > 0) throw someFailed(failures, plan.steps.length)
    for (const line of [...invalidLines(plan.invalid), ...summaryLines(plan)]) await notice(line)
    await notice(phrase('serving a copy of {calendar}', { calendar: client.calendar.label }))
  } finally {
    stopping.removeEventListener('abort', stop)
    await source.close()
  }
}

const clientFor = (store: Store, now: () => Date, download: (url: string) => Promise<Uint8Array>) =>
  createClient(
    calendarApi({
      download,
      transport: createService({ store, now, baseUrl: 'http://copy.test', namespace: documentedNamespace }),
      calendar: { id: 'copy:', label: phrase('the copy') },
      namespace: documentedNamespace,
    }),
  )

/**
 * Records with images of the copy in place of IDs, which would be those of the other site. An image that cannot be read keeps its address.
 */
async function* withCopiedImages(records: AsyncIterable<WritableRecord>, copy: Client, notice: App['notice']) {
  for await (const record of records) {
    const { image: url } = record.values
    try {
      const item = isImageUrl(url) ? await copy.uploadedImage({ url }) : undefined
      yield item ? { ...record, values: { ...record.values, image: item.url } } : record
    } catch (error) {
      await notice(phrase('not copied: {message}', { message: asFailure(error).message }))
      yield record
    }
  }
}

/** Exported records in the form of records that were read from a file. */
async function* fileRecords(records: AsyncIterable<WritableRecord>): AsyncGenerator<FileRecord> {
  for await (const record of records)
    yield { ...record, cleared: [], mistakes: [], place: `${record.resource} ${record.id}` }
}
