import { spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { bundle } from '../soak/bundle.ts'
import { startServe } from '../start-serve.ts'
import { worldOf } from '../world.ts'

const languages = ['ca', 'en', 'es']

/** Three venues that are one, in three languages, and 200 events at them, of which some are drafts, long past, or in the trash. */
const seed = languages.flatMap(lang_code => [
  { resource: 'venues', lang_code, venue: 'Teatre Principal', city: 'Girona' },
  { resource: 'venues', lang_code, venue: 'T. Principal', phone: '972 000 111' },
  { resource: 'venues', lang_code, venue: 'Teatre Principal de Girona', website: 'https://teatre.example' },
])

const events = Array.from({ length: 200 }, (_, number) => ({
  resource: 'events',
  lang_code: languages[number % 3],
  title: `Act ${number}`,
  start_date: `${number % 10 === 0 ? 2015 : 2027}-0${1 + (number % 9)}-12 19:00`,
  end_date: `${number % 10 === 0 ? 2015 : 2027}-0${1 + (number % 9)}-12 21:00`,
  venue: seed[3 * (number % 3) + (Math.floor(number / 3) % 3)]?.venue,
  status: number % 7 === 0 ? 'draft' : 'publish',
  description: `What happens in act ${number}`,
}))

const lines = (records: readonly object[]) => records.map(record => `${JSON.stringify(record)}\n`).join('')

/** Everything in a calendar file but when it was saved, which is also the date of a draft. */
function contentOf(file: string): Record<string, unknown> {
  const tables = JSON.parse(readFileSync(file, 'utf8'))
  const withoutTimes = ({ modified: _, modified_utc: __, ...record }: Record<string, unknown>) =>
    String(record.date_utc).startsWith('0000') ? { ...record, date: '' } : record
  return Object.fromEntries(['events', 'venues'].map(name => [name, tables[name].map(withoutTimes)]))
}

test('a merge of three venues with 200 events in three languages on a bad line, killed in the middle and resumed, loses no event and is undone exactly', {
  timeout: 600_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-merge-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'calendar.json')
  const script = await bundle('calctl')
  // One address, because that is what a calendar is known by.
  let port = 0

  /** Does something with the served calendar, which is on disk afterwards. */
  async function served(
    options: string,
    work: (server: { calctl: ReturnType<typeof worldOf>; env: object }) => Promise<void>,
  ) {
    const server = await startServe(
      `--file ${file} --quirks --namespace tribe/events/v1 --base-path /wp-json --port ${port} --user admin:secret ${options}`,
    )
    if (!('url' in server)) throw new Error(server.err)
    port = Number(new URL(server.url).port)
    const env = {
      HOME: folder,
      XDG_STATE_HOME: join(folder, 'state'),
      XDG_CONFIG_HOME: join(folder, 'config'),
      XDG_CACHE_HOME: join(folder, 'cache'),
      CALCTL_BASE_URL: `${new URL(server.url).origin}/wp-json`,
      CALCTL_NAMESPACE: 'tribe/events/v1',
      CALCTL_USER: 'admin',
      CALCTL_PASSWORD: 'secret',
      CALCTL_LANG: 'ca',
    }
    // Everything that waits for the site waits a fiftieth of the time.
    const sleep = (ms: number) => wait(Math.max(ms / 50, 5))
    await work({ calctl: worldOf({ env, sleep, now: () => new Date() }), env })
    await server.stop()
    return contentOf(file)
  }

  const before = await served('', async ({ calctl }) => {
    expect(await calctl('apply - --format ndjson --allow-similar --yes', lines([...seed, ...events]))).toMatchObject({
      status: 0,
    })
    expect(await calctl('events delete act-3 --yes')).toMatchObject({ status: 0 })
  })
  const venueCounts = (content: Record<string, unknown>) => {
    const counts: Record<string, number> = {}
    for (const { venue } of content.events as { venue: number }[]) counts[venue] = (counts[venue] ?? 0) + 1
    return counts
  }
  expect(Object.values(venueCounts(before))).toHaveLength(9)

  const merged = await served('--fail 10%:503', async ({ calctl, env }) => {
    const words = 'venues merge teatre-principal t-principal teatre-principal-de-girona --all-languages --yes'.split(
      ' ',
    )
    const child = spawn(process.execPath, [script, ...words], { env: { ...process.env, ...env }, stdio: 'ignore' })
    let arrived = 0
    const onRequest = (message: unknown) => {
      const { request } = message as { request: IncomingMessage }
      if (request.method !== 'GET' && ++arrived === 60) child.kill('SIGKILL')
    }
    subscribe('http.server.request.start', onRequest)
    const [, signal] = await once(child, 'close')
    unsubscribe('http.server.request.start', onRequest)
    expect(signal).toBe('SIGKILL')
    for (let round = 0; round < 5; round++) if ((await calctl('runs resume')).status === 0) break
    expect((await calctl('runs list --fields command,state -o tsv')).out).toContain('venues merge\tdone')
  })
  expect(Object.values(venueCounts(merged)).toSorted()).toEqual([66, 67, 67])
  const liveVenues = (merged.venues as { status: string; city: string; phone: string }[]).filter(
    ({ status }) => status !== 'trash',
  )
  expect(liveVenues).toHaveLength(3)
  for (const venue of liveVenues)
    expect(venue).toMatchObject({ city: 'Girona', phone: '972 000 111', website: 'https://teatre.example' })

  const undone = await served('--fail 10%:503', async ({ calctl }) => {
    let outcome = await calctl('undo --yes')
    for (let round = 0; round < 5 && outcome.status !== 0; round++) outcome = await calctl('runs resume')
    expect(outcome, outcome.err).toMatchObject({ status: 0 })
  })
  expect(undone).toEqual(before)
})
