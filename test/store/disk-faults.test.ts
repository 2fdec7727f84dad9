import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { documentedNamespace } from '../../src/contract/contract.ts'
import { createService } from '../../src/service/service.ts'
import { type Disk, disk } from '../../src/service/store/disk.ts'
import { openStore } from '../../src/service/store/open-calendar-file.ts'
import { type FileOperation, watchFiles } from '../soak/file-operations.ts'
import { type Serving, startServe } from '../support/start-serve.ts'
import { testTime } from '../support/world.ts'

let folder: string
let server: Serving | undefined
/** What goes wrong: the code of the error of an operation, if it fails. */
let fault: (operation: FileOperation) => string | undefined = () => undefined
let stopWatching: () => void
const file = () => join(folder, 'town.json')
const journal = () => join(folder, 'town.json.journal')

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'calctl-'))
  fault = () => undefined
  stopWatching = await watchFiles(folder, {
    before(operation) {
      const code = fault(operation)
      if (code) throw Object.assign(new Error(code), { code, syscall: operation.kind })
    },
  })
})
afterEach(async () => {
  fault = () => undefined
  await server?.stop()
  server = undefined
  stopWatching()
  rmSync(folder, { recursive: true, force: true })
})

async function serve(options = ''): Promise<Serving> {
  const started = await startServe(`--file town.json --port 0 ${options}`, { cwd: folder })
  if ('status' in started) throw new Error(started.err)
  server = started
  return started
}

const tagsUrl = () => `${server?.url}/calendar/events/v1/tags`
async function post(name: string) {
  const answer = await fetch(tagsUrl(), { method: 'POST', body: new URLSearchParams({ name }) })
  const { message } = (await answer.json()) as { message?: string }
  return { status: answer.status, message }
}
async function names(): Promise<string[]> {
  const { tags } = (await (await fetch(`${tagsUrl()}?hide_empty=false`)).json()) as { tags: { name: string }[] }
  return tags.map(({ name }) => name).toSorted()
}
/** Serves a copy of the files as they are now, as after a kill. */
async function namesAfterKill(): Promise<string[]> {
  const copies = ['town.json', 'town.json.journal'].filter(name => existsSync(join(folder, name)))
  const other = mkdtempSync(join(tmpdir(), 'calctl-'))
  for (const name of copies) writeFileSync(join(other, name), readFileSync(join(folder, name)))
  const restarted = await startServe('--file town.json --port 0', { cwd: other })
  if ('status' in restarted) throw new Error(restarted.err)
  const answer = await fetch(`${restarted.url}/calendar/events/v1/tags?hide_empty=false`)
  await restarted.stop()
  rmSync(other, { recursive: true })
  return ((await answer.json()) as { tags: { name: string }[] }).tags.map(({ name }) => name).toSorted()
}

const isFolderFlush = ({ kind, path }: FileOperation) => kind === 'flush' && path === folder
const edit = (change: (text: string) => string) => writeFileSync(file(), change(readFileSync(file(), 'utf8')))

test('a folder that fails to be flushed after a rename keeps no refused write, and refuses until it works', async () => {
  await serve()
  await post('Jazz')
  await server?.stop()
  await serve()
  edit(text => text.replace('"Jazz"', '"Hot jazz"'))
  await expect.poll(names, { timeout: 10_000 }).toContain('Hot jazz')
  fault = operation => (isFolderFlush(operation) ? 'EIO' : undefined)
  for (const name of ['Blues', 'Swing'])
    expect(await post(name)).toEqual({
      status: 507,
      message: 'The disk failed (EIO); nothing was changed. Reads still work.',
    })
  expect(await names()).toEqual(['Hot jazz'])
  expect(await namesAfterKill()).toEqual(['Hot jazz'])
  fault = () => undefined
  expect((await post('Bop')).status).toBe(201)
  expect(await namesAfterKill()).toEqual(['Bop', 'Hot jazz'])
})

test.each(['EINVAL', 'ENOTSUP'])('a file system that cannot flush folders (%s) is no failure', async code => {
  fault = operation => (isFolderFlush(operation) ? code : undefined)
  await serve()
  expect((await post('Jazz')).status).toBe(201)
  expect(await namesAfterKill()).toEqual(['Jazz'])
})

test('a write that was refused stays refused, even if it could not be cut off at once', async () => {
  await serve()
  await post('Jazz')
  fault = ({ kind, path }) => (path === journal() && ['flush', 'truncate'].includes(kind) ? 'EIO' : undefined)
  const refused = await post('Blues')
  expect(refused).toMatchObject({ status: 507, message: expect.stringContaining('cannot be taken back yet') })
  expect(await post('Swing')).toMatchObject({ status: 507, message: expect.stringContaining('nothing was changed') })
  expect(await names()).toEqual(['Jazz'])
  fault = () => undefined
  expect((await post('Bop')).status).toBe(201)
  expect(await namesAfterKill()).toEqual(['Bop', 'Jazz'])
})

test('what is not yet on disk is not shown, and a refused write never', async () => {
  const flushes: { resolve(): void; reject(error: Error): void }[] = []
  const slow: Disk = {
    ...disk,
    flush: () => new Promise<void>((resolve, reject) => flushes.push({ resolve, reject })),
  }
  await (await serve()).stop()
  const store = await openStore({ file: file(), now: () => testTime, disk: slow })
  const service = createService({
    store,
    now: () => testTime,
    baseUrl: 'http://x.test',
    namespace: documentedNamespace,
  })
  const path = `/${documentedNamespace}/tags`
  const send = (name: string) => service({ method: 'POST', path, query: '', body: `name=${name}`, headers: form })
  const list = async () =>
    JSON.parse(String((await service({ method: 'GET', path, query: 'hide_empty=false' })).body)).tags
  const nextFlush = () => expect.poll(() => flushes.length, { timeout: 10_000 }).toBeGreaterThan(0)

  const written = send('Jazz')
  await nextFlush()
  let isShown = false
  const listed = list().finally(() => {
    isShown = true
  })
  for (let turn = 0; turn < 50; turn++) await new Promise(resolve => setImmediate(resolve))
  expect(isShown).toBe(false)
  flushes.shift()?.resolve()
  expect((await written).status).toBe(201)
  expect(await listed).toHaveLength(1)

  const refused = send('Blues')
  await nextFlush()
  const other = list()
  for (let turn = 0; turn < 50; turn++) await new Promise(resolve => setImmediate(resolve))
  flushes.shift()?.reject(Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'fdatasync' }))
  await nextFlush()
  flushes.shift()?.resolve()
  expect((await refused).status).toBe(507)
  expect(await other).toHaveLength(1)
  const closed = store.close()
  const isClosed = closed.then(() => true)
  while (!(await Promise.race([isClosed, new Promise(resolve => setImmediate(resolve, false))])))
    flushes.shift()?.resolve()
})

const form = { 'content-type': 'application/x-www-form-urlencoded' }

test('the journal, and copies beside the file, have the permissions of the calendar file', async () => {
  await (await serve()).stop()
  chmodSync(file(), 0o600)
  await serve()
  await post('Jazz')
  expect(statSync(journal()).mode & 0o777).toBe(0o600)
  await post('Swing')
  edit(text => `${text} `)
  await expect.poll(() => existsSync(join(folder, 'town.conflict.json')), { timeout: 10_000 }).toBe(true)
  expect(statSync(join(folder, 'town.conflict.json')).mode & 0o777).toBe(0o600)
})

test.each([
  ['removed', () => rmSync(journal())],
  ['moved away', () => renameSync(journal(), join(folder, 'elsewhere'))],
  ['emptied', () => truncateSync(journal())],
  [
    'replaced',
    () => {
      rmSync(journal())
      writeFileSync(journal(), 'something else, and longer than what was there before. '.repeat(20))
    },
  ],
])('a journal that was %s under the server is noticed with the next write, and nothing is lost', async (_, change) => {
  await serve()
  await post('Jazz')
  change()
  expect((await post('Blues')).status).toBe(201)
  expect(await namesAfterKill()).toEqual(['Blues', 'Jazz'])
  expect(server?.err()).toMatch(/^warning: another program (removed|replaced) .*town\.json\.journal/m)
  expect((await post('Swing')).status).toBe(201)
  expect(await namesAfterKill()).toEqual(['Blues', 'Jazz', 'Swing'])
})

test('a complete last line of the journal with a wrong checksum is reported, not dropped', async () => {
  await serve()
  await post('Jazz')
  await post('Blues')
  const copy = mkdtempSync(join(folder, 'copy-'))
  writeFileSync(join(copy, 'town.json'), readFileSync(file()))
  writeFileSync(join(copy, 'town.json.journal'), readFileSync(journal(), 'utf8').replace('"Blues"', '"Bluez"'))
  expect(await startServe('--file town.json --port 0', { cwd: copy })).toMatchObject({
    status: 3,
    err: expect.stringMatching(/town\.json\.journal is damaged at line \d+\nhint: .*--repair/),
  })
})

test.each(['ENOSPC', 'EDQUOT'])(
  'a full disk at the start (%s) is a sentence, and leaves nothing behind',
  async code => {
    fault = ({ kind }) => (['create', 'write', 'make folder'].includes(kind) ? code : undefined)
    expect(await startServe('--file town.json --port 0', { cwd: folder })).toEqual({
      status: 3,
      err: `error: cannot use ${file()} as a calendar: the disk is full\nhint: free some space, or open it read-only with: calctl serve --read-only\n`,
    })
    expect(readdirSync(folder)).toEqual([])
  },
)

test('a disk that is full when a file is served is a warning; reads are answered and writes refused', async () => {
  await (await serve()).stop()
  fault = ({ kind, bytes, path }) =>
    kind === 'write' && bytes?.length && path.includes('.lock') ? 'ENOSPC' : undefined
  await serve()
  expect(server?.err()).toContain(`warning: cannot note in ${file()}.lock where it is served: the disk is full`)
  fault = ({ kind }) => (kind === 'write' ? 'ENOSPC' : undefined)
  expect(await names()).toEqual([])
  expect((await post('Jazz')).message).toMatch(/^The disk is full/)
})
