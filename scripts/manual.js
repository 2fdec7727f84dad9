// The manual pages of the package, from the help as data: one for calctl, and one for each command that has others below it.

import { spawnSync } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'

/** Writes man/*.1 with the program that was built. */
export async function writeManual(program) {
  const { status, stdout } = spawnSync(process.execPath, [program, 'help', '--json', '--all'], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`calctl help --json --all ended with ${status}`)
  await rm('man', { recursive: true, force: true })
  await mkdir('man')
  for (const [name, page] of manualPages(JSON.parse(stdout))) await writeFile(`man/${name}.1`, page)
}

/** The pages in the language of man(7), by name, such as `calctl-events`; `root` is what `calctl help --json --all` prints. */
export function* manualPages(root) {
  yield [pageName(root), page(root, root, partsOfRoot(root))]
  for (const command of root.commands.filter(hasOthersBelow))
    yield [pageName(command), page(command, root, ['.SH DESCRIPTION', ...bodyOf(command), ...subcommands(command)])]
}

const hasOthersBelow = ({ commands }) => commands.length > 0

const pageName = ({ command }) => command.replaceAll(' ', '-')

function page(command, root, parts) {
  const seeAlso =
    command === root
      ? 'calctl help, and calctl help followed by a topic or a command.'
      : 'calctl(1) for the global options.'
  return `${[
    `.TH ${quoted(pageName(command).toUpperCase())} 1 "" ${quoted(`calctl ${root.version}`)} "calctl manual"`,
    '.SH NAME',
    `${escaped(pageName(command))} \\- ${escaped(command.description)}`,
    '.SH SYNOPSIS',
    `.B ${escaped(command.usage)}`,
    ...parts,
    '.SH EXIT STATUS',
    ...root.exitStatuses.flatMap(({ exitStatus, description }) => term(String(exitStatus), description)),
    ...examplesOf(command),
    '.SH SEE ALSO',
    escaped(seeAlso),
  ].join('\n')}\n`
}

/** What only the page of calctl itself has. */
const partsOfRoot = root => [
  '.SH COMMANDS',
  ...root.commands.flatMap(child => [
    ...term(child.usage.replace(/^calctl /, ''), child.description),
    ...(hasOthersBelow(child) ? ['.br', `See ${escaped(pageName(child))}(1).`] : relative(bodyOf(child))),
  ]),
  '.SH GLOBAL OPTIONS',
  'They stand before or after the command.',
  ...optionLines(root),
  '.SH ENVIRONMENT',
  ...root.environment.flatMap(({ name, description }) => term(name, description)),
]

/** Lines that belong to the term before them. */
const relative = lines => (lines.length === 0 ? [] : ['.RS', ...lines, '.RE'])

const subcommands = command =>
  command.commands.flatMap(child => [
    `.SH ${quoted(child.command.toUpperCase().split(' ').at(-1))}`,
    `.B ${escaped(child.usage)}`,
    '.PP',
    `${escaped(child.description)}.`,
    ...bodyOf(child),
    ...examplesOf(child, '.SS'),
  ])

/** Notes, arguments and options of a command. */
const bodyOf = command => [
  ...(hasOthersBelow(command) ? [`${escaped(command.description)}.`] : []),
  ...paragraphs(command.notes ?? ''),
  ...command.arguments.filter(({ description }) => description !== '').flatMap(one => term(one.name, one.description)),
  ...optionLines(command),
]

const paragraphs = text =>
  text === '' ? [] : text.split('\n\n').flatMap(part => ['.PP', escaped(part.replaceAll('\n', ' '))])

const optionLines = ({ options }) =>
  [...new Set(options.map(({ group }) => group))].flatMap(group => [
    '.PP',
    `.B ${escaped(`${group}:`)}`,
    ...options.filter(option => option.group === group).flatMap(option => term(option.flags, option.description)),
  ])

const term = (name, meaning) => ['.TP', `.B ${escaped(name)}`, escaped(meaning.replaceAll('`', ''))]

const examplesOf = ({ examples }, level = '.SH') =>
  examples.length === 0 ? [] : [`${level} EXAMPLES`, '.nf', ...examples.map(escaped), '.fi']

/** Text without requests of man(7), and with hyphens that can be copied. */
const escaped = text =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replace(/^([.'])/gm, '\\&$1')

const quoted = text => `"${escaped(text).replaceAll('"', '""')}"`
