import fc from 'fast-check'
import { calendar } from '../support/calendar.ts'
import { commandsUnder, commandTree } from '../support/command-tree.ts'
import { attacks } from './hostile-texts.ts'
import { told } from './told.ts'

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values)

/** What people mistype, scripts pass by mistake and attackers try. */
const values = oneOf([
  ...[
    '',
    ' ',
    '-',
    '--',
    '0',
    '1',
    '-1',
    '1.5',
    '1e999',
    'NaN',
    '99999999999999999999',
    '007',
    '1,2,,x',
    'x'.repeat(5000),
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty.call',
    'id,__proto__.x',
    '../../etc/passwd',
    '/nowhere/x.csv',
  ],
  ...[
    '{',
    '{}',
    '[]',
    'null',
    '"x"',
    '{"__proto__":{"a":1}}',
    '{"toString":1}',
    '['.repeat(5000),
    '@/nowhere',
    '%',
    '%ED%A0%80',
  ],
  ...[
    '2026-12-05',
    '2026-02-30',
    '9999-12-31 23:59:59',
    'tomorrow',
    '+999999999 years',
    'Mars/Olympus',
    'UTC+99',
    '10 - 20 €',
  ],
  ...['events', 'all', 'json', 'http://', 'http://[', 'file:', 'javascript:alert(1)', '\ud800', 'e\u0301', '🎷'],
  ...Object.values(attacks).map(text => text.replaceAll('\0', '')),
])

const commands = commandsUnder(commandTree())
  // What shows a page waits, like a server, and profiles would be written outside of the calendar.
  .filter(({ path }) => !['serve', 'mcp', 'open', 'preview', 'profiles'].includes(path[0] ?? ''))
  .map(({ path, command }) => {
    const flags = [...command.options, ...commandTree().options].map(
      ({ flags }) => flags.split(/[ ,|]+/).find(flag => flag.startsWith('--')) ?? '',
    )
    return { path, flags }
  })

const lines = oneOf(commands).chain(({ path, flags }) =>
  fc
    .array(
      fc.oneof(
        { weight: 3, arbitrary: fc.tuple(oneOf(flags), values).map(pair => [...pair]) },
        { weight: 2, arbitrary: values.map(value => [value]) },
        { weight: 1, arbitrary: oneOf(flags).map(flag => [flag]) },
        { weight: 1, arbitrary: fc.tuple(oneOf(flags), values).map(([flag, value]) => [`${flag}=${value}`]) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }).map(text => [text]) },
      ),
      { maxLength: 5 },
    )
    .map(words => [...path, ...words.flat()]),
)

/** Runs random command lines; returns those that ended with a stack trace, and how many there were of each exit status. */
export async function runRandomLines(count: number, seed: number, stateHome: string) {
  const statuses: Record<number, number> = {}
  const bugs: string[] = []
  for (const words of fc.sample(lines, { numRuns: count, seed })) {
    const run = calendar({ env: { XDG_STATE_HOME: stateHome, XDG_CONFIG_HOME: stateHome, XDG_DATA_HOME: stateHome } })
    // Nothing outside this machine is asked, and nothing waits.
    const safe = words.filter(word => !/^(--save|--base-url|--demo|-p|--profile)/.test(word))
    const { status, err } = await run([...safe, '--no-input', '--retries=0'], '{"id":1}\n').catch(error => ({
      status: -1,
      err: String(error.stack),
    }))
    statuses[status] = (statuses[status] ?? 0) + 1
    if (!told.includes(status) || /\n {4}at /.test(err))
      bugs.push(`${JSON.stringify(safe).slice(0, 300)}: ${err.slice(0, 400)}`)
  }
  return { statuses, bugs }
}
