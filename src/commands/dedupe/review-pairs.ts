import type { App } from '../../app.ts'
import type { Client } from '../../client/client.ts'
import { equal } from '../../client/compare.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Candidate } from '../../doubles/find-candidates.ts'
import type { Merge } from '../../doubles/merge-plan.ts'
import { differingFields, mergeableFields, missingFields, type Taken } from '../../doubles/merge-values.ts'
import { rememberDistinct } from '../../profiles/distinct-records.ts'
import { linesWithin, pad, shorten } from '../../terminal/fit.ts'
import { writeLines } from '../../terminal/painted-lines.ts'
import { cellText } from '../../terminal/paths.ts'
import { decodeEntities } from '../../text/normalize.ts'
import { sanitizeLine } from '../../text/sanitize.ts'

const answers = {
  l: 'the same; keep the left one as it is',
  r: 'the same; keep the right one as it is',
  m: 'the same; merge the fields of both into the left one',
  n: 'not the same; never ask again',
  s: 'skip it this time',
  q: 'stop asking, and merge what was decided so far',
}

/** A record that stays, as it will be, with what it replaces. */
interface Survivor {
  readonly record: Answer
  readonly original: Answer
  readonly others: readonly Answer[]
  readonly taken: Taken
}

/** Asks about each pair; returns the merges of those that are the same. What is not the same is remembered at once, unless nothing is to be written. */
export async function reviewPairs(
  app: App,
  client: Client,
  resource: Resource,
  candidates: readonly Candidate[],
  dryRun = false,
): Promise<Merge[]> {
  const { askOneOf } = await import('../../terminal/prompts.ts')
  const survivors = new Map<number, Survivor>()
  const survivorOf = (record: Answer) => survivors.get(record.id) ?? { record, original: record, others: [], taken: {} }
  for (const [index, candidate] of candidates.entries()) {
    const [left, right] = candidate.records.map(survivorOf)
    // Two pairs may have made one of them already.
    if (!left || !right || left.original.id === right.original.id) continue
    await show(app, resource, left.record, right.record, `${index + 1} of ${candidates.length}: ${whyOf(candidate)}`)
    const answer = await askOneOf(app.world, 'Are they the same?', answers)
    if (answer === 'q') break
    if (answer === 's') continue
    if (answer === 'n') {
      const [one, other] = candidate.records
      if (!dryRun) await rememberDistinct(app.world, client.calendar.id, resource.name, [one.id, other.id])
      continue
    }
    const [stays, goes] = answer === 'r' ? [right, left] : [left, right]
    const taken = answer === 'm' ? await askFields(app, resource, stays.record, goes.record) : {}
    const joined = join(stays, goes, taken)
    for (const { id } of [joined.original, ...joined.others]) survivors.set(id, joined)
  }
  return [...new Set(survivors.values())].map(({ original, others, taken }) => ({ survivor: original, others, taken }))
}

const whyOf = ({ reasons, score }: Candidate): string => `${reasons.join(', ')} (${score})`

/** `goes` may itself have replaced others, from which it took fields. */
function join(stays: Survivor, goes: Survivor, taken: Taken): Survivor {
  const origins = Object.fromEntries(Object.keys(taken).map(name => [name, goes.taken[name] ?? goes.original.id]))
  const values = Object.fromEntries(Object.keys(taken).map(name => [name, goes.record[name]]))
  return {
    record: { ...stays.record, ...values },
    original: stays.original,
    others: [...stays.others, goes.original, ...goes.others],
    taken: { ...stays.taken, ...origins },
  }
}

/** The fields that the record that stays takes over: what it lacks, and of those in which both differ, what the user says. */
async function askFields(app: App, resource: Resource, stays: Answer, goes: Answer): Promise<Taken> {
  const { askOneOf } = await import('../../terminal/prompts.ts')
  const taken: Record<string, number> = { ...missingFields(resource, stays, [goes]) }
  for (const name of differingFields(resource, stays, goes)) {
    const [left, right] = [stays, goes].map(record => shorten(textOf(record[name]), 60))
    const side = await askOneOf(app.world, `${labelOf(name)}: ${left}, or ${right}?`, { l: 'left', r: 'right' })
    if (side === 'r') taken[name] = goes.id
  }
  return taken
}

const labelOf = (name: string): string => name.replaceAll('_', ' ')

const textOf = (value: unknown): string =>
  [value]
    .flat()
    .map(one => sanitizeLine(decodeEntities(cellText(one))))
    .join(', ')

const labelWidth = 14
const mostLines = 3

/** Shows two records side by side: what both have in common, and with `≠` what not. */
async function show(app: App, resource: Resource, left: Answer, right: Answer, heading: string): Promise<void> {
  const { world, globals } = app
  const width = Math.max(16, Math.floor(((world.stderr.columns || 100) - labelWidth - 4) / 2))
  const names = [
    'id',
    resource.title,
    ...(resource.fields.start_date ? ['start_date', 'end_date'] : []),
    'status',
    'slug',
  ]
  const all = [...names, ...mergeableFields(resource).map(([name]) => name)]
  const lines = ['', heading]
  for (const name of all) {
    const texts = [left, right].map(record => textOf(record[name]))
    if (texts.every(text => text === '')) continue
    const [one = [], other = []] = texts.map(text => linesWithin(text, width, mostLines))
    const sign = name === 'id' || equal(texts[0], texts[1]) ? ' ' : '≠'
    for (let row = 0; row < Math.max(one.length, other.length); row++)
      lines.push(
        `${row === 0 ? sign : ' '} ${pad(row === 0 ? labelOf(name) : '', labelWidth)} ${pad(one[row] ?? '', width)} ${other[row] ?? ''}`.trimEnd(),
      )
  }
  for (const line of lines) await writeLines(world, globals, world.stderr, `${line}\n`)
}
