import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse as parseCsv } from 'csv-parse/sync'
import { afterAll, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { outputFormsOf } from '../../src/cli/commands/shared/output-forms.ts'
import { type Output, outputs } from '../../src/cli/world.ts'
import { resources } from '../../src/contract/contract.ts'
import { png } from '../images/png.ts'
import { calendar } from '../support/calendar.ts'
import { commandsUnder, commandTree } from '../support/command-tree.ts'
import { words, worldOf } from '../support/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'calctl-forms-'))
afterAll(() => rmSync(folder, { recursive: true }))
const sheet = join(folder, 'tags.csv')
writeFileSync(sheet, 'resource,name,description\ntags,Jazz,Nights\ntags,Folk,\n')

const image = join(folder, 'poster.png')
writeFileSync(image, png(8, 6))

/** The little of a site that a login without a user reads. */
const site = createServer((_, response) => response.end('{"namespaces":["calendar/events/v1"],"routes":{}}'))
await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
afterAll(() => void site.close())
const { port } = site.address() as AddressInfo

const leaves = commandsUnder(commandTree())
  .filter(({ command }) => command.commands.length === 0)
  .map(({ path }) => path.join(' '))

const values = (name: string, title: string, text: string) => ({
  [title]: text,
  ...(name === 'events' && { start_date: '2026-12-05', end_date: '2026-12-05' }),
})

/** Command lines for every command and each of its kinds of output, with their stdin. */
const lines: Readonly<Record<string, readonly (readonly [line: string, stdin?: string])[]>> = {
  agenda: [['agenda --month 2026-12']],
  find: [['find first']],
  ...Object.fromEntries(
    [
      'cancel 1',
      'uncancel 1',
      'postpone 1',
      'unpostpone 1',
      'move 1 2026-12-08',
      'publish 1',
      'unpublish 1',
      'duplicate 1 --to 2026-12-08',
    ].map(line => [
      `events ${line.split(' ')[0]}`,
      // Nothing is left to publish or to take back, so the plan has no steps.
      /^(publish|uncancel|unpostpone)/.test(line)
        ? [[`events ${line}`]]
        : ([[`events ${line}`], [`events ${line} --dry-run`]] as const),
    ]),
  ),
  'events series': [['events series 1']],
  'languages status': [['languages status']],
  month: [['month 2026-12']],
  apply: [[`apply ${sheet} --yes`], [`apply ${sheet} --dry-run`]],
  diff: [[`diff ${sheet}`]],
  'languages copy': [['languages copy 1 --to es --yes'], ['languages copy 1 --to es --dry-run']],
  export: [['export tags']],
  queue: [['queue']],
  stats: [['stats --year 2026']],
  lint: [['lint --fail-on error'], ['lint --rules']],
  doc: [['doc']],
  changes: [['changes']],
  'sources add': [[`sources add town ${sheet}`]],
  'sources schema': [['sources schema']],
  'sources plan': [['sources plan']],
  'sources apply': [['sources apply --yes'], ['sources apply --dry-run']],
  'sources status': [['sources status']],
  'sources why': [['sources why 1']],
  'sources review': [['sources review']],
  'sources remove': [['sources remove town']],
  'profiles add': [['profiles add town --base-url http://127.0.0.1:1']],
  'profiles list': [['profiles list']],
  'profiles show': [['profiles show']],
  'profiles use': [['profiles use local']],
  'profiles edit': [['profiles edit site --protected']],
  'profiles remove': [['profiles remove site']],
  api: [['api GET tags']],
  login: [[`login 127.0.0.1:${port} --anonymous`]],
  logout: [['logout']],
  whoami: [['whoami']],
  trust: [['trust']],
  doctor: [['doctor']],
  help: [['help events create']],
  ...Object.fromEntries(
    ['bash', 'zsh', 'fish', 'powershell'].map(shell => [`completion ${shell}`, [[`completion ${shell}`]]]),
  ),
  'runs list': [['runs list']],
  'runs show': [['runs show']],
  'runs resume': [['runs resume']],
  history: [['history']],
  undo: [['undo --yes'], ['undo --dry-run']],
  redo: [['redo --yes'], ['redo --dry-run']],
  'runs undo': [['runs undo --yes'], ['runs undo --dry-run']],
  'runs redo': [['runs redo --yes']],
  dedupe: [['dedupe'], ['dedupe venues --yes']],
  'runs prune': [['runs prune --older-than 90d']],
  mcp: [['mcp']],
  serve: [['serve --memory --port 0 --token any']],
  open: [['open --base-url http://127.0.0.1:1']],
  preview: [['preview missing.json']],
  approve: [['approve missing.json']],
  ...Object.fromEntries(
    resources.flatMap(({ name, title, trashable }) => {
      const data = `--data '${JSON.stringify(values(name, title, 'Second'))}'`
      const writes = {
        [`${name} create`]: [[`${name} create ${data}`]],
        [`${name} update`]: [[`${name} update 1 ${data}`], [`${name} update - ${data} --yes`, '1\n']],
        [`${name} merge`]: [[`${name} merge 1 ${trashable ? 3 : 2} --yes`]],
        [`${name} delete`]: [[`${name} delete 1 --yes`], [`${name} delete - --yes`, '1\n']],
        ...(trashable && {
          [`${name} restore`]: [[`${name} restore 2`], [`${name} restore - --yes`, '2\n']],
        }),
      }
      return [
        [`${name} list`, trashable ? [[`${name} list`], [`${name} list --all`]] : [[`${name} list --no-hide-empty`]]],
        [`${name} history`, [[`${name} history 1`]]],
        [`${name} get`, [[`${name} get 1`], [`${name} get 1 1`]]],
        ...Object.entries(writes).map(([command, all]) => [
          command,
          // One resource of each kind is enough for dry runs.
          all.flatMap(([line, ...stdin]) => [
            [line, ...stdin],
            ...(name === 'events' || name === 'tags' ? [[`${line} --dry-run`, ...stdin]] : []),
          ]),
        ]),
      ]
    }),
  ),
}

/** A calendar with a record 1 and a trashed record 2 of a resource, a profile, and a run. */
async function prepared(command: string, seen: string[]) {
  const state = mkdtempSync(join(folder, 'home-'))
  const env = { XDG_STATE_HOME: state, XDG_CONFIG_HOME: state, XDG_DATA_HOME: state }
  const calctl = calendar({ seen, env })
  const isCalendar = ['agenda', 'month', 'find'].includes(command) || /^(lint|languages)/.test(command)
  const resource = resources.find(({ name }) => (isCalendar ? name === 'events' : command.startsWith(name)))
  if (resource) {
    const { name, title, trashable } = resource
    const add = (text: string) => calctl.ask(`POST /${name}`, values(name, title, text))
    await add('First')
    if (trashable) {
      await add('Gone')
      await calctl.ask(`DELETE /${name}/2`)
    }
    if (command.endsWith('merge')) await add('Double')
    if (command.endsWith('series'))
      await calctl.ask('POST /events', { title: 'First', start_date: '2026-12-12', end_date: '2026-12-12' })
    // What has a history was written by a command.
    if (command.endsWith('history'))
      await calctl([name, 'update', '1', '--data', JSON.stringify({ [title]: 'Changed' })])
  }
  if (/^(runs|undo|redo|history|export)/.test(command)) await calctl(`apply ${sheet} --yes`)
  if (command === 'dedupe')
    for (const venue of ['Teatre Principal', 'Teatre principal'])
      await calctl.ask('POST /venues', { venue, city: 'Girona' })
  if (command === 'queue') await calctl.ask('POST /events', { ...values('events', 'title', 'First'), status: 'draft' })
  if (command === 'changes') {
    await calctl('changes')
    await calctl.ask('POST /tags', { name: 'Any' })
  }
  if (command.endsWith('redo')) await calctl('undo --yes')
  if (command.startsWith('profiles')) await calctl('profiles add site --base-url http://127.0.0.1:1')
  if (command.startsWith('sources') && !/add|schema/.test(command)) return sourcesOf(state, env)
  if (command === 'trust' || command === 'sources add') {
    if (command === 'trust') writeFileSync(join(state, '.calctl.json'), '{"namespace":"a/v1"}')
    return worldOf({ env, cwd: state })
  }
  seen.length = 0
  // A server that is stopped before it starts prints its URL, and ends.
  return command === 'serve' ? worldOf({ env, stopping: AbortSignal.abort() }) : calctl
}

/** A folder with a source of which one event is in the calendar, and what to do with another is to be decided. */
async function sourcesOf(state: string, env: Record<string, string>) {
  const cwd = mkdtempSync(join(state, 'sources-'))
  const row = (title: string, end: string) => `${title},2026-12-05 10:00,2026-12-05 ${end}\n`
  const write = (rows: string) => writeFileSync(join(cwd, 'town.csv'), `title,start_date,end_date\n${rows}`)
  const calctl = calendar({ env, cwd })
  write(row('Fair', '12:00') + row('Market', '12:00'))
  await calctl('sources add town town.csv')
  await calctl('sources apply --yes')
  await calctl('events delete 2 --yes')
  write(row('Fair', '13:00') + row('Market', '12:00'))
  return calctl
}

/** The pattern of the output in each form. */
const checks: Readonly<Record<Output, (text: string) => void>> = {
  json: text => void JSON.parse(text),
  ndjson: text => {
    for (const line of linesOf(text)) JSON.parse(line)
  },
  yaml: text => expect(parseYaml(text)).toBeTypeOf('object'),
  csv: text => expect(parseCsv(text).length).toBeGreaterThan(0),
  tsv: text => {
    const widths = linesOf(text).map(line => line.split('\t').length)
    expect(new Set(widths).size).toBe(1)
  },
  table: text => expect(text).toMatch(/^[A-Z]/),
  // Records that do not exist yet have no ID.
  ids: text => expect(text).toMatch(/^(\S+\n)*$/),
  count: text => expect(text).toMatch(/^\d+\n$/),
  ics: text => expect(text).toMatch(/^BEGIN:VCALENDAR\r\n/),
  xlsx: text => expect(text).toMatch(/^PK/),
  markdown: text => expect(text).toMatch(/^## .+\n/),
  html: text => expect(text).toMatch(/^<meta charset="utf-8">\n<h2>/),
}

const linesOf = (text: string): string[] => {
  expect(text).toMatch(/\n$/)
  return text.split('\n').slice(0, -1)
}

test('every command declares its output forms', () => {
  const undeclared = commandsUnder(commandTree()).filter(
    ({ command }) => command.commands.length === 0 && !outputFormsOf(command),
  )
  expect(undeclared.map(({ path }) => path.join(' '))).toEqual([])
  expect(Object.keys(lines).toSorted()).toEqual(leaves.toSorted())
})

for (const command of leaves)
  test(`${command} prints each form of -o, or refuses it before anything is sent`, async () => {
    const seen: string[] = []
    let calctl: Awaited<ReturnType<typeof prepared>> | undefined
    for (const [line, stdin] of lines[command] ?? [])
      for (const output of outputs) {
        const label = `${line} -o ${output}`
        calctl ??= await prepared(command, seen)
        const { status, out, err } = await calctl([...words(line), '-o', output], stdin)
        if (status === 2) {
          // It changed nothing, so the next line finds everything as it was.
          expect({ out, seen }, label).toEqual({ out: '', seen: [] })
          const [failure = err] = output === 'json' ? [JSON.parse(err).error.message] : []
          expect(failure, label).toMatch(new RegExp(`calctl ${command} (cannot print ${output}|prints no data)`))
          continue
        }
        const isNo = command === 'languages status' || label.startsWith('dedupe -')
        expect(status, `${label}: ${err}`).toBe(isNo ? 1 : 0)
        calctl = undefined
        if (/^((profiles|sources) (add|use|edit|remove)|runs prune|trust|login|logout|completion)/.test(command))
          expect(out, label).toBe('')
        else expect(() => checks[output](out), `${label}: ${out}`).not.toThrow()
      }
  })
