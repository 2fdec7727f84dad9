import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure } from '../../../base/failure.ts'
import { reason } from '../../../base/fs.ts'
import { isLanguage } from '../../../contract/languages.ts'
import { isSystemError } from '../../../service/store/disk.ts'
import type { FileReport } from '../../../service/store/file-follower.ts'
import type { FileStore } from '../../../service/store/file-store.ts'
import { memoryStore } from '../../../service/store/memory-store.ts'
import { type OpenOptions, openStore } from '../../../service/store/open-calendar-file.ts'
import type { Site } from '../../../service/store/rows.ts'
import type { Store } from '../../../service/store/store.ts'
import type { App } from '../../app.ts'
import { missingFile, requireFolder } from '../../profiles/config.ts'
import { dataFile } from '../../profiles/user-folders.ts'
import type { ServeOptions, Settings } from './serve-settings.ts'

/** Opens the calendar to serve; with --from, fills it with a copy of another calendar. */
export async function openStoreFor(app: App, settings: Settings, options: ServeOptions, url: string): Promise<Store> {
  const { from, file, ...others } = options
  if (from === undefined && options.copyImages)
    throw new Failure('usage', '--copy-images requires --from', { hint: 'name the profile to copy: --from PROFILE' })
  if (from === undefined) return openCalendar(app, settings, options, url)
  if (file !== undefined && existsSync(resolve(app.world.cwd, file)))
    throw new Failure('usage', `${file} already exists, and --from needs a new file`, {
      hint: `serve it with: calctl serve --file ${file}`,
    })
  if (file !== undefined) requireFolder(resolve(app.world.cwd, file))
  // The file is written once the copy is complete, so that a failure leaves no incomplete file.
  const copy = await openCalendar(app, settings, { ...others, memory: true }, url)
  const { copyCalendar } = await import('./copy-calendar.ts')
  await copyCalendar(app, copy, from, options.copyImages === true)
  if (file === undefined) return copy
  const store = await openCalendar(app, settings, options, url)
  await addFiles(store, copy)
  await store.restore(copy.snapshot())
  return store
}

/** Keeps the uploaded images of a calendar in another one, before anything names them there. */
async function addFiles({ files }: Store, from: Store): Promise<void> {
  for (const { url } of from.table('images').values()) {
    const bytes = await from.files.read(url)
    if (bytes) await files.add(url, bytes)
  }
}

/** Opens the demo, a calendar in memory, a file, or the embedded calendar. Processes waiting for the file learn the URL. */
async function openCalendar(app: App, settings: Settings, options: ServeOptions, url: string): Promise<Store> {
  const { world, globals } = app
  const { now, timezone } = settings
  const site: Partial<Site> = {
    ...(isLanguage(globals.lang) && { language: globals.lang }),
    ...(timezone !== undefined && { timezone }),
  }
  const fresh: Site = { language: 'ca', timezone: world.timeZone(), quirks: false, ...site }
  if (globals.demo) return openDemo(now(), site)
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
    warning: text => void world.stderr.write(`warning: ${text}\n`),
  }
  const store = await openStore({ ...common, readOnly, report, create: !readOnly, ...(isNew && { site: fresh }) })
  announce(store, url, file, report)
  for (const aside of store.keptAside) await app.notice(`moved the damaged data to ${aside}`)
  return isNew ? store : withSite(store, site)
}

/** Those that want the file are told where it is served, if that can be written. */
function announce(store: FileStore, url: string, file: string, report: FileReport): void {
  try {
    store.announce(url)
  } catch (error) {
    if (!isSystemError(error)) throw error
    report.warning(`cannot note in ${file}.lock where it is served: ${reason(error)}`)
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

/** The same calendar with another language or time zone, which are not written to the file. */
const withSite = (store: Store, overrides: Partial<Site>): Store =>
  Object.create(store, { site: { get: () => ({ ...store.site, ...overrides }) } })
