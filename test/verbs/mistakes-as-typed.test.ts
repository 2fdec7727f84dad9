import { expect, test } from 'vitest'
import { commandsUnder, commandTree } from '../support/command-tree.ts'
import { unparsable } from '../support/hints.ts'
import { productionSite } from '../support/production-site.ts'
import { words } from '../support/world.ts'

/** In Madrid, 02:30 does not exist on 28 March 2027, and comes twice on 31 October. */
const night = { start_date: '2026-12-05 02:30:00', end_date: '2026-12-05 04:30:00' }
const evening = { start_date: '2026-12-05 01:00:00', end_date: '2026-12-05 02:30:00' }
const events = [
  night,
  evening,
  { start_date: '2026-12-05', end_date: '2026-12-05', all_day: true },
  night,
  evening,
  { start_date: '2027-10-31 00:30', end_date: '2027-10-31 03:30', timezone: 'UTC' },
]

/** Events as a plugin or an import left them. */
const odd: Record<number, object> = {
  4: { start_date: '0000-00-00 00:00:00', end_date: '0000-00-00 00:00:00' },
  5: { timezone: 'Mars/Olympus' },
}

async function site() {
  const site = await productionSite({
    async intercept(request, pass) {
      const answer = await pass(request)
      if (request.method !== 'GET' || !request.path.includes('/events')) return answer
      const oddly = (_: string, record: object & { id?: number }) => ({ ...record, ...odd[record?.id ?? 0] })
      const isRecord = (value: unknown) => typeof value === 'object' && value !== null && 'start_date' in value
      const body = JSON.stringify(
        JSON.parse(String(answer.body), (key, value) => (isRecord(value) ? oddly(key, value) : value)),
      )
      return { ...answer, headers: { 'content-type': 'application/json' }, body }
    },
  })
  for (const [index, event] of events.entries())
    await site.calctl('api POST events --input -', JSON.stringify({ title: `Event ${index + 1}`, ...event }))
  site.seen.length = 0
  return site
}

const days = ['2027-10-31', '"2027-03-28 02:30"', '"8 December 20:00"', 'nonsense']
const refs = ['1', '2', '3', '4', '5', '6']
const shifts = ['+330d', '-30m', '+9000000d']
const lines = [
  ...refs.flatMap(ref =>
    days.flatMap(day => [`duplicate ${ref} --to ${day}`, `move ${ref} ${day}`, `postpone ${ref} --to ${day}`]),
  ),
  ...days.flatMap(day => [`move 1 2 3 4 5 ${day}`, `postpone 1 3 --to ${day}`, `move --on 2026-12-05 ${day}`]),
  ...refs.flatMap(ref => shifts.map(shift => `update ${ref} --shift ${shift}`)),
  ...shifts.flatMap(shift => [`update 1 2 3 4 5 --shift ${shift}`, `update --on 2026-12-05 --shift ${shift}`]),
  ...['1', '3', '5'].flatMap(ref => days.map(day => `update ${ref} --start-date ${day} --end-date ${day}`)),
]

const options = new Map(
  commandsUnder(commandTree()).map(({ path, command }) => [
    path.join(' '),
    [...command.options, ...commandTree().options].map(({ long }) => long),
  ]),
)

/** The options in a message that its command does not have, apart from those of whole command lines. */
const foreign = (line: string, err: string): string[] => {
  const own = [...(options.get(`events ${line.split(' ')[0]}`) ?? []), '--yes']
  const told = err.replace(/calctl events .*/g, '')
  return (told.match(/--[a-z][\w-]*/g) ?? []).filter(option => !own.includes(option))
}

/** Options of dates that were not typed are not what is wrong. */
const untyped = (line: string, err: string): string[] =>
  (err.match(/(?<=error: |: )--[a-z-]+(?=:)/g) ?? []).filter(option => !line.includes(option))

test('what is wrong with a date is said in the words that were typed', async () => {
  const wrong: unknown[] = []
  const { calctl } = await site()
  for (const line of lines) {
    const { status, err } = await calctl([...words(`events ${line}`), '--dry-run'])
    if (status === 0) continue
    const found = [...foreign(line, err), ...untyped(line, err), ...(await unparsable(err))]
    if (found.length > 0) wrong.push([line, status, err, found])
  }
  expect(wrong).toEqual([])
})

test('with one impossible event among several nothing is sent, and only that one is named', async () => {
  for (const line of [
    'update 1 3 --shift -30m',
    'move 3 1 "2027-12-08 20:00"',
    'postpone 1 3 --to "2027-12-08 20:00"',
  ]) {
    const { calctl, writes } = await site()
    const { status, err } = await calctl([...words(`events ${line}`), '--yes'])
    expect([line, status, writes(), err]).toEqual([
      line,
      2,
      [],
      expect.stringMatching(/^! event 3: .*\n(?!.*(nothing was changed|already))/),
    ])
    expect(err).not.toContain('already')
  }
})

test('an end that follows from the length of an event is no difference, whether or not its hour occurs twice', async () => {
  for (const line of [
    'duplicate 2 --to 2027-10-31',
    'move 2 2027-10-31',
    'postpone 2 --to 2027-10-31',
    'update 2 --shift +330d',
  ]) {
    const { calctl } = await site()
    const { status, out, err } = await calctl([...words(`events ${line} --json --yes`)])
    expect([line, status, err]).toEqual([line, 0, expect.anything()])
    expect(JSON.parse(out)).toMatchObject({ start_date: '2027-10-31 01:00:00', end_date: '2027-10-31 02:30:00' })
  }
})
