import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import * as esbuild from 'esbuild'
import { rolldown } from 'rolldown'
import { expect, onTestFinished, test } from 'vitest'

/** A program that reads, writes, fails, and keeps its calendar in a file: each of these loads modules late. */
const program = `
import { CalendarError, createCalendarClient } from 'calctl/client'
import { CalendarError as SameError, startCalendar } from 'calctl/testing'
async function main() {
  const calendar = await startCalendar({ file: 'calendar.json' })
  const client = createCalendarClient({ url: calendar.url })
  await client.venues.create({ venue: 'Casal' })
  const ball = { title: 'Ball', start_date: '2026-12-05 20:00:00', end_date: '2026-12-05 22:00:00', venue: 'Casal' }
  const { id } = await client.events.create(ball)
  await client.events.update(id, { title: 'Gran ball' })
  for await (const { title, venue } of client.events.list()) console.log(title, venue.venue)
  const missing = await client.events.get(99999).catch(error => error)
  console.log(missing instanceof CalendarError, CalendarError === SameError)
  await client.close()
  await calendar.close()
}
main()
`

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'calctl-bundled-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** A project in which this package is installed; returns the path of its program. */
function project(text: string): string {
  const made = folder()
  mkdirSync(join(made, 'node_modules'))
  symlinkSync(resolve(import.meta.dirname, '../..'), join(made, 'node_modules/calctl'))
  writeFileSync(join(made, 'program.js'), text)
  return join(made, 'program.js')
}

type Bundle = (entry: string, outdir: string, form: { format: 'cjs' | 'esm'; extension: string }) => Promise<unknown>

const byEsbuild: Bundle = (entry, outdir, { format, extension }) =>
  esbuild.build({
    entryPoints: [entry],
    outfile: join(outdir, `program${extension}`),
    bundle: true,
    platform: 'node',
    format,
    logLevel: 'silent',
  })

const byRolldown: Bundle = async (entry, dir, { format, extension }) => {
  const bundle = await rolldown({ input: entry, platform: 'node' })
  const names = { entryFileNames: `[name]${extension}`, chunkFileNames: `[name]-[hash]${extension}` }
  await bundle.write({ dir, format, ...names })
  await bundle.close()
}

test.each([
  ['esbuild', byEsbuild, 'cjs'],
  ['esbuild', byEsbuild, 'esm'],
  ['rolldown', byRolldown, 'cjs'],
  ['rolldown', byRolldown, 'esm'],
] as const)(
  'a program with the libraries, bundled by %s, runs in an empty folder (%s %s)',
  async (_, bundle, format) => {
    const outdir = folder()
    const extension = format === 'esm' ? '.mjs' : '.cjs'
    await bundle(project(program), outdir, { format, extension })
    const started = spawnSync(process.execPath, [join(outdir, `program${extension}`)], {
      cwd: outdir,
      encoding: 'utf8',
    })
    expect([started.stderr, started.stdout, started.status]).toEqual(['', 'Gran ball Casal\ntrue true\n', 0])
    expect(readdirSync(outdir)).toContain('calendar.json')
  },
)

test.each(['calctl/client', 'calctl/testing'])('a bundle of %s for browsers fails, and says why', async name => {
  const entry = project(`import { CalendarError } from '${name}'\nconsole.log(CalendarError)`)
  await expect(
    esbuild.build({ entryPoints: [entry], bundle: true, platform: 'browser', write: false, logLevel: 'silent' }),
  ).rejects.toThrow(/No matching export in ".*runs-on-node-only.mjs"/)
  const bundle = await rolldown({ input: entry, platform: 'browser' })
  await expect(bundle.generate()).rejects.toThrow(/is not exported by ".*runs-on-node-only.mjs"/)
  await bundle.close()
})

test('a library that a browser loads late says why it cannot run there', async () => {
  const entry = project("import('calctl/client').catch(({ message }) => console.log(message))")
  const outdir = folder()
  await esbuild.build({ entryPoints: [entry], bundle: true, platform: 'browser', outdir, logLevel: 'silent' })
  const { stdout } = spawnSync(process.execPath, [join(outdir, 'program.js')], { encoding: 'utf8' })
  expect(stdout).toBe(
    'calctl/client and calctl/testing run on Node only: bundle for Node, or import them on the server\n',
  )
})
