import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { skipped } from '../support/skipped.ts'
import { odsWorkbook, workbook } from '../support/workbooks.ts'

/** Files that take several times as long as the start of a command. */
const concerts = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    title: `Concert ${n}`,
    slug: `concert-${n}`,
    start_date: '2026-12-05 19:00',
    end_date: '2026-12-05 21:00',
  }))

const headings = ['title', 'slug', 'start_date', 'end_date'] as const

const cells = (count: number) => [headings, ...concerts(count).map(one => headings.map(name => one[name]))]

const table = (count: number, separator: string) =>
  cells(count)
    .map(row => `${row.join(separator)}\n`)
    .join('')

const calendarText = (count: number) =>
  [
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//town//EN\r\n',
    ...concerts(count).map(
      ({ title, slug }) =>
        `BEGIN:VEVENT\r\nUID:${slug}\r\nDTSTART:20261205T190000\r\nDTEND:20261205T210000\r\nSUMMARY:${title}\r\nEND:VEVENT\r\n`,
    ),
    'END:VCALENDAR\r\n',
  ].join('')

const yamlText = (count: number) =>
  concerts(count)
    .map(one => `- ${headings.map(name => `${name}: "${one[name]}"\n`).join('  ')}`)
    .join('')

/** The bytes of a big file in each format. */
const files: Readonly<Record<string, () => string | Promise<Uint8Array>>> = {
  yaml: () => yamlText(60_000),
  json: () => JSON.stringify(concerts(300_000)),
  ndjson: () =>
    concerts(100_000)
      .map(one => `${JSON.stringify(one)}\n`)
      .join(''),
  csv: () => table(100_000, ','),
  tsv: () => table(100_000, '\t'),
  ics: () => calendarText(60_000),
  xlsx: () => workbook({ Concerts: cells(20_000) }),
  ods: () => odsWorkbook({ Concerts: cells(20_000) }),
}

const made = new Map<string, Promise<Uint8Array>>()

function bytesOf(format: string): Promise<Uint8Array> {
  const bytes = made.get(format) ?? Promise.resolve(files[format]?.() ?? '').then(one => Buffer.from(one))
  made.set(format, bytes)
  return bytes
}

/** One format for each kind of reader; the soak tries all. */
const tried = process.env.SOAK_ROUNDS ? Object.keys(files) : ['yaml', 'ics', 'xlsx']

const signals = ['SIGINT', 'SIGTERM'] as const

/** How long a process has computed, in ms, on Linux. */
function computed(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const calctl = join(import.meta.dirname, '../../bin/calctl.js')

/** Starts the built calctl, which writes how long it has computed when it ends. */
async function start(line: string) {
  const folder = await mkdtemp(join(tmpdir(), 'calctl-reading-'))
  const preload = join(folder, 'preload.mjs')
  const spent = join(folder, 'spent')
  writeFileSync(
    preload,
    `import { writeFileSync } from 'node:fs'
    import { isMainThread } from 'node:worker_threads'
    if (isMainThread) process.on('exit', () => {
      const { user, system } = process.cpuUsage()
      writeFileSync(${JSON.stringify(spent)}, String((user + system) / 1000))
    })`,
  )
  spawnSync('mkfifo', [join(folder, 'pipe')])
  const env = { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: folder, TMPDIR: folder }
  const args = ['--import', pathToFileURL(preload).href, calctl, ...line.split(' ')]
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true })
  })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', text => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    err += text
  })
  return {
    folder,
    child,
    async end(signal: NodeJS.Signals) {
      const ended = once(child, 'close')
      const before = computed(child.pid ?? 0)
      child.kill(signal)
      const [status, killedBy] = await ended
      return { status, killedBy, out, err, before, after: Number(readFileSync(spent, 'utf8')) }
    },
    /** Waits until the process has computed this much longer, in ms. */
    async computesFor(ms: number) {
      const from = computed(child.pid ?? 0)
      await expect.poll(() => computed(child.pid ?? 0) - from).toBeGreaterThanOrEqual(ms)
    },
  }
}

const lacksProc = process.platform !== 'linux'
const whyNot = skipped(lacksProc, 'only Linux tells how long a process has computed')

describe.skipIf(lacksProc)(`a signal ends a command at once that reads a big file${whyNot}:`, () => {
  test.each(tried.flatMap(format => signals.map(signal => [format, signal] as const)))(
    '%s, %s',
    async (format, signal) => {
      const command = await start(`apply pipe --format ${format} --yes --base-url file:town.json`)
      await pipeline(Readable.from([await bytesOf(format)]), createWriteStream(join(command.folder, 'pipe')))
      await command.computesFor(200)
      const { before, after, ...ended } = await command.end(signal)
      expect(ended).toEqual({ status: 130, killedBy: null, out: '', err: 'error: interrupted\n' })
      // Reading the file to its end would take several times as long as everything before.
      expect(after).toBeLessThan(2 * before)
      expect(readdirSync(command.folder).filter(name => name.startsWith('town') || /lock$/.test(name))).toEqual([])
      expect(existsSync(join(command.folder, 'calctl', 'runs'))).toBe(false)
    },
  )
})
