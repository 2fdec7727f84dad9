import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openEmbedded } from '../support/program.ts'
import { type Serving, startServe } from '../support/start-serve.ts'
import { testTime, worldOf } from '../support/world.ts'

let folder: string
let server: Serving
const file = () => join(folder, 'town.json')
const conflict = () => join(folder, 'town.conflict.json')

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'calctl-'))
  writeFileSync(file(), calendarText('Jazz', 'Blues'))
  server = await serve()
})
afterEach(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function serve(options = ''): Promise<Serving> {
  const started = await startServe(`--file town.json --port 0 ${options}`, { cwd: folder })
  if ('status' in started) throw new Error(started.err)
  return started
}

test('a file that is gone while a copy of what was served is there is not served as a new one', async () => {
  await server.stop()
  renameSync(file(), conflict())
  const refused = await startServe('--file town.json --port 0', { cwd: folder })
  expect(refused).toMatchObject({
    status: 3,
    err: expect.stringContaining(`${file()} does not exist, but ${conflict()}`),
  })
  expect(refused).toMatchObject({ err: expect.stringContaining(`hint: serve that with: mv ${conflict()} ${file()}`) })
  expect(existsSync(file())).toBe(false)
  renameSync(conflict(), file())
  server = await serve()
  expect(await names()).toEqual(['Blues', 'Jazz'])
})

/** A calendar file as people write it by hand. */
const calendarText = (...names: readonly string[]) =>
  JSON.stringify(
    {
      calctl: 1,
      site: { language: 'en', timezone: 'Europe/Madrid' },
      tags: names.map((name, index) => ({ id: index + 1, name })),
    },
    null,
    2,
  )

const edit = (change: (text: string) => string) => writeFileSync(file(), change(readFileSync(file(), 'utf8')))
/** Saves as many editors do: a new file is renamed onto the old one. */
function saveByRename(text: string): void {
  writeFileSync(`${file()}~`, text)
  renameSync(`${file()}~`, file())
}

const tagsUrl = () => `${server.url}/calendar/events/v1/tags`
async function names(): Promise<string[]> {
  const answer = await fetch(`${tagsUrl()}?hide_empty=false`)
  const { tags } = (await answer.json()) as { tags: { name: string }[] }
  return tags.map(({ name }) => name).toSorted()
}
async function post(name: string) {
  const answer = await fetch(tagsUrl(), { method: 'POST', body: new URLSearchParams({ name }) })
  const { code, message } = (await answer.json()) as { code?: string; message?: string }
  return { status: answer.status, code, message, retryAfter: answer.headers.get('retry-after') }
}

test('a hand edit followed by a POST keeps both', async () => {
  edit(text => text.replace('Blues', 'Free jazz'))
  expect((await post('Opera')).status).toBe(201)
  expect(await names()).toEqual(['Free jazz', 'Jazz', 'Opera'])
  expect(server.err()).toContain(`another program changed ${file()}; read it again: 1 record changed`)
  await server.stop()
  for (const name of ['Free jazz', 'Jazz', 'Opera']) expect(readFileSync(file(), 'utf8')).toContain(`"${name}"`)
})

test('a file that was saved by rename is read again with the next request, references and indexes included', async () => {
  expect(await names()).toEqual(['Blues', 'Jazz'])
  saveByRename(calendarText('Jazz', 'Swing', 'Bop'))
  expect(await names()).toEqual(['Bop', 'Jazz', 'Swing'])
  expect((await fetch(`${tagsUrl()}/3?lang_code=en`)).status).toBe(200)
  expect(server.err()).toContain('1 record added, 1 record changed')
  saveByRename(calendarText('Jazz'))
  expect(await names()).toEqual(['Jazz'])
  expect((await fetch(`${tagsUrl()}/3?lang_code=en`)).status).toBe(404)
  expect(server.err()).toContain('2 records removed')
})

test('a changed time zone of the file is followed', async () => {
  edit(text => text.replace('Europe/Madrid', 'Europe/Lisbon'))
  const answer = await fetch(server.url, { headers: { accept: 'application/json' } })
  expect(await answer.json()).toMatchObject({ timezone_string: 'Europe/Lisbon' })
})

test('a file that was only touched is not mentioned, and an ID is not assigned twice', async () => {
  await post('Opera')
  await expect.poll(() => readFileSync(file(), 'utf8')).toContain('Opera')
  writeFileSync(file(), readFileSync(file()))
  expect(await names()).toEqual(['Blues', 'Jazz', 'Opera'])
  expect(server.err()).not.toContain('another program')
  // As `git checkout` does: the file as it was before.
  saveByRename(calendarText('Jazz', 'Blues'))
  expect(await names()).toEqual(['Blues', 'Jazz'])
  expect(server.err()).toContain(
    'the file has earlier versions of 1 record written here; the calendar served until now is in',
  )
  expect(readFileSync(join(folder, 'town.replaced.json'), 'utf8')).toContain('Opera')
  await post('Swing')
  expect((await fetch(`${tagsUrl()}/4?lang_code=en`)).status).toBe(200)
})

test.each([
  ['is cut off in the middle', (text: string) => text.slice(0, text.length / 2), /not valid JSON: line \d+/],
  ['is empty', () => '', /not valid JSON: line 1/],
  ['has a mistake in a record', (text: string) => text.replace('"id": 2', '"id": "two"'), /tags\[1\]\.id/],
  ['is another kind of file', () => '[]', /not a calendar/],
])('a file that %s is not served, not overwritten, and read once it is fixed', async (_, damage, problem) => {
  const sound = readFileSync(file(), 'utf8')
  edit(damage)
  const damaged = readFileSync(file(), 'utf8')
  expect(await names()).toEqual(['Blues', 'Jazz'])
  expect(await names()).toEqual(['Blues', 'Jazz'])
  expect(server.err().match(/^warning: .*its earlier contents are still served.*$/gm)).toEqual([
    expect.stringMatching(problem),
  ])
  expect(await post('Opera')).toMatchObject({ status: 503, code: 'calctl_file_unreadable', retryAfter: '1' })
  expect(readFileSync(file(), 'utf8')).toBe(damaged)
  writeFileSync(file(), sound.replace('Blues', 'Swing'))
  expect((await post('Opera')).status).toBe(201)
  expect(await names()).toEqual(['Jazz', 'Opera', 'Swing'])
})

test('a folder in place of the file is an obstacle as well', async () => {
  rmSync(file())
  mkdirSync(file())
  expect(await names()).toEqual(['Blues', 'Jazz'])
  expect((await post('Opera')).message).toBe(
    'town.json cannot be read, and the log of the server says why. Writes are accepted again when the file is fixed.',
  )
})

test('a file that was removed is created again by the next write', async () => {
  rmSync(file())
  expect(await names()).toEqual(['Blues', 'Jazz'])
  expect(server.err()).toContain(`${file()} was removed`)
  expect(existsSync(file())).toBe(false)
  expect((await post('Opera')).status).toBe(201)
  for (const name of ['Blues', 'Jazz', 'Opera'])
    await expect.poll(() => readFileSync(file(), 'utf8'), { timeout: 10_000 }).toContain(name)
})

/** Lets the server write something that is only in its journal when another program saves the file. */
async function bothChange(): Promise<string> {
  // The first write after an edit by hand is in the file at once; the next one is in the journal for two seconds.
  await post('Opera')
  await post('Swing')
  edit(text => text.replace('Blues', 'Free jazz'))
  return readFileSync(file(), 'utf8')
}

test('if both sides changed, neither is overwritten, and writes are refused until a person decides', async () => {
  const edited = await bothChange()
  expect(await post('Bop')).toEqual({
    status: 503,
    code: 'calctl_file_conflict',
    message:
      'town.json was changed by another program during writes. Neither was overwritten: what is served here is in town.conflict.json. Add what is missing to town.json, then remove town.conflict.json; writes are accepted again after that.',
    retryAfter: null,
  })
  expect(await names()).toEqual(['Blues', 'Jazz', 'Opera', 'Swing'])
  expect(readFileSync(file(), 'utf8')).toBe(edited)
  expect(readFileSync(conflict(), 'utf8')).toContain('Swing')
  expect(server.err().match(/warning: /g)).toHaveLength(1)

  edit(text => text.replace('Opera', 'Opera seria'))
  expect((await post('Bop')).status).toBe(503)
  rmSync(conflict())
  expect((await post('Bop')).status).toBe(201)
  expect(await names()).toEqual(['Bop', 'Free jazz', 'Jazz', 'Opera seria'])
  expect(readdirSync(folder).filter(name => name.includes('replaced'))).toEqual([])
})

test('calctl says of a conflict what the server says, and gives no other advice', async () => {
  await bothChange()
  const calctl = worldOf({ env: { CALCTL_BASE_URL: server.url, XDG_STATE_HOME: join(folder, 'state') } })
  const { status, err } = await calctl('tags create --name Bop')
  expect(status).toBe(5)
  expect(err).toMatch(/then remove town\.conflict\.json; writes are accepted again after that/)
  expect(err).toMatch(/\nhint: fix that first, then run the command again\n$/)
})

test('a conflict is resolved for what is served by moving its copy onto the file', async () => {
  await bothChange()
  expect((await post('Bop')).status).toBe(503)
  renameSync(conflict(), file())
  expect((await post('Bop')).status).toBe(201)
  expect(await names()).toEqual(['Blues', 'Bop', 'Jazz', 'Opera', 'Swing'])
})

test('a conflict at the moment of stopping is kept, and the file can be served again', async () => {
  const edited = await bothChange()
  expect(await server.stop()).toBe(0)
  expect(readdirSync(folder).toSorted()).toEqual(['town.conflict.json', 'town.json'])
  expect(readFileSync(file(), 'utf8')).toBe(edited)
  expect(readFileSync(conflict(), 'utf8')).toContain('Swing')
  expect(server.err()).toContain(`mv ${conflict()} ${file()}`)
  server = await serve()
  expect(await names()).toEqual(['Free jazz', 'Jazz', 'Opera'])
})

test('a second conflict does not overwrite the copy of the first', async () => {
  writeFileSync(conflict(), 'what somebody keeps')
  await bothChange()
  expect((await post('Bop')).message).toContain('town.conflict-2.json')
  expect(readFileSync(conflict(), 'utf8')).toBe('what somebody keeps')
})

test('writes that were pending when the file was damaged are kept next to it when the server stops', async () => {
  await bothChange()
  writeFileSync(file(), 'damaged')
  await server.stop()
  expect(readFileSync(file(), 'utf8')).toBe('damaged')
  expect(readFileSync(conflict(), 'utf8')).toContain('Swing')
  expect(readdirSync(folder).toSorted()).toEqual(['town.conflict.json', 'town.json'])
})

test('a server that only reads follows the file as well', async () => {
  await server.stop()
  server = await serve('--read-only')
  edit(text => text.replace('Blues', 'Free jazz'))
  expect(await names()).toEqual(['Free jazz', 'Jazz'])
})

test('without a request, a changed file is mentioned within a second or so', async () => {
  edit(text => text.replace('Blues', 'Free jazz'))
  await expect.poll(() => server.err()).toContain('1 record changed')
})

test('a change of the file between the reads and the writes of a command is kept', async () => {
  await server.stop()
  const calctl = worldOf({
    async openCalendar(place, onlyReads, notice) {
      const { transport, close } = await openEmbedded(place, () => testTime, { onlyReads, notice })
      return {
        transport: request => {
          if (request.method !== 'GET') edit(calendar => calendar.replace('Blues', 'Free jazz'))
          return transport(request)
        },
        close,
      }
    },
    cwd: folder,
    env: { XDG_STATE_HOME: folder },
  })
  const { status, err } = await calctl('tags update 1 --name "Hot jazz" --base-url file:town.json')
  expect([status, err]).toEqual([0, expect.stringContaining('read it again: 1 record changed')])
  for (const name of ['Hot jazz', 'Free jazz']) expect(readFileSync(file(), 'utf8')).toContain(name)
})
