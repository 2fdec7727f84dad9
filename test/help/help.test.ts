import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import topicWords from '../../docs/topics.json' with { type: 'json' }
import { topicNames } from '../../src/cli/commands/help/topics.ts'
import { calendarWithFiles } from '../support/calendar-with-files.ts'
import { commandsUnder, commandTree } from '../support/command-tree.ts'
import { worldOf } from '../support/world.ts'

const calctl = worldOf({})
const docs = resolve(import.meta.dirname, '../../docs')

const commands = commandsUnder(commandTree()).map(({ path }) => path.join(' '))

const headings = (text: string) => text.split('\n').filter(line => /^\S.*:$/.test(line))

test('the help of calctl has the commands first, in groups, and a line for each group of global options', async () => {
  const { status, out, err } = await calctl('--help')
  expect({ status, err }).toEqual({ status: 0, err: '' })
  expect(headings(out).slice(0, 2)).toEqual(['Examples:', 'Records:'])
  expect(headings(out).slice(-2)).toEqual(['Options:', 'Topics:'])
  expect(out).toMatch(/^ {2}output +-o, --json, .* calctl help output$/m)
  expect(out).toMatch(/^ {2}safety +-y, --no-input, --confirm +calctl help safety$/m)
})

test('the help of a command has examples, then fields or filters, selection, safety, and the global groups', async () => {
  const list = await calctl('events list --help --all')
  expect(headings(list.out)).toEqual(['Examples:', 'Arguments:', 'Filters:', 'Selection:', 'Global options:'])
  const update = await calctl('events update --help --all')
  expect(headings(update.out).slice(0, 5)).toEqual(['Examples:', 'Arguments:', 'Fields:', 'Changes:', 'Selection:'])
  expect(headings(update.out).slice(-3)).toEqual(['Safety:', 'Run:', 'Global options:'])
})

test('help has at most 60 lines, and names what only --help --all explains', async () => {
  for (const command of commands) {
    const { out } = await calctl(`${command} --help`)
    expect(out.split('\n').length, command).toBeLessThanOrEqual(61)
  }
  const { out } = await calctl('events update --help')
  expect(out).toContain('\nMore options, explained by calctl events update --help --all:\n  fields ')
  expect(out).toMatch(/^ {2}run +--jobs, --rate, /m)
  expect(out).toMatch(/^ {2}--dry-run +Show what would change/m)
  expect((await calctl('help events update --all')).out).toMatch(/^ {2}--rate <rate> +Maximum rate of writes/m)
})

test('a long topic names its last sections, and --all has them', async () => {
  const short = await calctl('help sheets')
  const [, more = ''] = short.out.split('More, with calctl help sheets --all:\n')
  expect(short.out.split('\n').length).toBeLessThanOrEqual(121)
  const titles = more.trim().split(/\n */)
  expect(titles.length).toBeGreaterThan(1)
  const { out } = await calctl('help sheets --all')
  for (const title of titles) expect(out).toContain(`\n${title.toUpperCase()}\n`)
})

test('calctl help events create is what events create --help prints', async () => {
  const [one, other] = [await calctl('help events create'), await calctl('events create --help')]
  expect(one).toEqual(other)
  expect(one.out).toMatch(/^Create an event\n\nUsage: calctl events create \[options\]\n\nExamples:\n/)
})

test('the help of every command fits 80 columns, apart from examples to copy', async () => {
  for (const command of ['', ...commands]) {
    const { out } = await calctl(`${command} --help`)
    const long = out.split('\n').filter(line => line.length > 80 && !/^ {2}(calctl|pass) /.test(line))
    expect(long, command).toEqual([])
  }
})

test('every page of docs/ but the index and the reference is a topic, and --help lists it', async () => {
  const pages = readdirSync(docs)
    .filter(file => file.endsWith('.md') && !['reference.md', 'README.md'].includes(file))
    .map(file => file.slice(0, -3))
  const { out: help } = await calctl('help')
  for (const page of pages) {
    expect(help).toMatch(new RegExp(`\\b${page}\\b`))
    const { status, out } = await calctl(`help ${page}`)
    const [, title = ''] = /^# (.*)/.exec(readFileSync(join(docs, `${page}.md`), 'utf8')) ?? []
    expect({ page, status, hasTitle: out.includes(`${title.toUpperCase()}\n`) }).toEqual({
      page,
      status: 0,
      hasTitle: true,
    })
  }
})

test('a topic is text without marks, and its sentences fit 80 columns', async () => {
  for (const topic of ['output', 'environment', 'exit-statuses', 'connection', 'sheets', 'languages']) {
    const { out } = await calctl(`help ${topic}`)
    const prose = out.split('\n').filter(line => !line.startsWith('    '))
    expect(prose.filter(line => line.length > 80 || /\]\(|`|^\||<!--/.test(line))).toEqual([])
  }
})

test('calctl help undo has the options of undo, and the page about it', async () => {
  const { out } = await calctl('help undo')
  expect(out).toContain('Usage: calctl undo')
  expect(out).toContain('RUNS AND UNDO\n')
})

test('calctl help says which command or topic was meant', async () => {
  expect(await calctl('help evnets')).toMatchObject({
    status: 2,
    err: 'error: no command or topic "evnets"\nhint: did you mean calctl help events?\n',
  })
  expect((await calctl('help events lisst')).err).toContain('hint: list commands and topics with: calctl help\n')
})

test.each([
  ['where', 'selecting'],
  ['jq', 'output'],
  ['excel', 'sheets'],
  ['desfer', 'undo'],
  ['FULLS', 'sheets'],
  ['codigos de salida', 'exit-statuses'],
])('calctl help %s shows the topic %s', async (words, topic) => {
  const { status, out } = await calctl(`help ${words}`)
  expect(status).toBe(0)
  expect(out).toBe((await calctl(`help ${topic}`)).out)
})

test('the other names of topics lead to topics, and are no names of others or of commands', () => {
  const names = Object.values(topicWords).flatMap(words => Object.entries(words))
  const topics = topicNames(commandTree())
  const commandNames = commandTree().commands.map(command => command.name())
  expect(names.filter(([, topic]) => !topics.includes(topic))).toEqual([])
  expect(names.filter(([name, topic]) => name !== topic && [...topics, ...commandNames].includes(name))).toEqual([])
})

test('the help in Catalan lists the topics by their Catalan names, and those in English apart', async () => {
  const { out } = await worldOf({ env: { LANG: 'ca_ES.UTF-8' } })('help')
  const [, own = '', english = ''] = /\nTemes:\n(.*?)\n\nTemes només en anglès:\n(.*?)\n\n/s.exec(out) ?? []
  expect(own.trim().split(/,\s+/)).toEqual(expect.arrayContaining(['desfer', 'dates', 'estats-de-sortida', 'fulls']))
  expect(english.trim().split(/,\s+/)).toEqual(['decisions', 'parity', 'real-sites', 'serve', 'testing'])
  expect(out).toMatch(/^ {2}sortida +-o, .* calctl help sortida$/m)
  expect((await calctl('help')).out).not.toContain('English')
})

test.each(['ajuda', 'ayuda'])('calctl %s is calctl help', async word => {
  expect(await calctl(word)).toEqual(await calctl('help'))
  expect(await calctl(`${word} undo`)).toEqual(await calctl('help undo'))
})

test('--help -o json describes a command and names those below it, and describes them too with --all', async () => {
  const brief = JSON.parse((await calctl('events --help -o json')).out)
  expect(brief.commands).toContainEqual({
    command: 'calctl events list',
    description: expect.any(String),
  })
  const { out } = await calctl('events --help -o json --all')
  const noun = JSON.parse(out)
  expect([noun.command, noun.commands.length]).toEqual(['calctl events', brief.commands.length])
  const list = noun.commands.find((child: { command: string }) => child.command === 'calctl events list')
  expect(list.options).toContainEqual(
    expect.objectContaining({ name: '--starts-after', value: 'date', group: 'Filters' }),
  )
})

interface Described {
  readonly command: string
  readonly commands: readonly Described[]
}

test('help --json of any command is small enough for an assistant to read', async () => {
  const root: Described = JSON.parse((await calctl('help --json --all')).out)
  const ownSize = ({ commands: _, ...own }: Described) => JSON.stringify(own).length
  const all = [...root.commands, ...root.commands.flatMap(noun => noun.commands)]
  const largest = all.toSorted((one, other) => ownSize(other) - ownSize(one)).slice(0, 3)
  const broadest = root.commands.toSorted((one, other) => other.commands.length - one.commands.length).slice(0, 2)
  for (const { command } of [root, ...broadest, ...largest]) {
    const { out } = await calctl(`${command.replace('calctl', 'help')} --json`)
    expect([command, JSON.parse(out).command]).toEqual([command, command])
    expect([command, out.length]).toEqual([command, expect.toSatisfy((length: number) => length < 25_000)])
  }
})

test('help -o json --all describes the whole tree, with choices, defaults, the environment and the exit statuses', async () => {
  const { out } = await calctl('--help --json --all')
  const tree = JSON.parse(out)
  expect(tree.commands.length).toBe(commandTree().commands.length)
  const output = tree.options.find((option: { name: string }) => option.name === '--output')
  expect(output.choices).toContain('ndjson')
  expect(tree.options.find((option: { name: string }) => option.name === '--retries').default).toBe('3')
  expect(tree.environment).toContainEqual({ name: 'CALCTL_PROFILE', description: 'the profile, as --profile' })
  expect(tree.exitStatuses.map(({ exitStatus }: { exitStatus: number }) => exitStatus)).toContain(130)
})

test('on a terminal of 20 columns the meaning of a command stands below it', async () => {
  const narrow = worldOf({ terminal: 20, env: { NO_COLOR: '1' } })
  const { out } = await narrow('events --help')
  expect(out).toContain('  create\n    Create an event\n')
})

test('a topic is data with -o json, and a command that is a topic, too, is described', async () => {
  const { status, out } = await calctl('help dates -o json')
  expect({ status, ...JSON.parse(out) }).toMatchObject({
    status: 0,
    topic: 'dates',
    text: expect.stringMatching(/^DATES AND TIMES/),
  })
  expect(JSON.parse((await calctl('help undo -o json')).out)).toHaveProperty('options')
})

test('the examples of calctl run as they are written', async () => {
  const { calctl: run, folder, file } = calendarWithFiles({ cwd: '/' })
  file('season.csv', 'title,date,hour\nBall,2026-12-12,20:00\n')
  const { out } = await run('--help')
  const [, ...lines] = (out.split('\n\n').find(part => part.startsWith('Examples:')) ?? '').split('\n')
  expect(lines.length).toBeGreaterThan(3)
  for (const line of lines) {
    const words = line.trim().replace('calctl ', '').replace('season.csv', join(folder, 'season.csv'))
    // Nobody answers for the site of the example, and an undo is asked about.
    if (words.startsWith('login ')) continue
    const { status, err } = await run(words.startsWith('undo') ? `${words} --yes` : words)
    expect([line, status], err).toEqual([line, 0])
  }
})

test('what a new event lacks is said with an example that runs', async () => {
  const { calctl: run } = calendarWithFiles()
  const { err } = await run('events create --title Ball --start-date "2026-12-05 19:00"')
  expect(err).toMatch(/missing --end-date\nhint: .*--duration 2h/)
  await run('venues create --venue Sala')
  const [, example = ''] = /hint: for example: calctl (.*)/.exec(err) ?? []
  expect(await run(example)).toMatchObject({ status: 0 })
})

test('a terminal gets long examples on several lines, whose words are whole, and notes as paragraphs', async () => {
  for (const terminal of [60, 80]) {
    const { out } = await worldOf({ terminal })('events create --help')
    expect(out.split('\n').filter(line => line.startsWith('  calctl') && line.length > terminal)).toEqual([])
    expect(out).toMatch(/ \\\n {4}"2026-12-05 19:00"|"2026-12-05 19:00".* \\\n {4}\S/)
  }
  expect((await calctl('events create --help')).out).toContain('--duration 2h --venue 1\n')
  expect((await calctl('export --help')).out).toMatch(/every language\.\n\nFor Excel:.*--human\n\nFor the printer:/s)
  expect((await calctl('events move --help')).out).toContain('Usage: calctl events move [ref...] <date> [options]\n')
})
