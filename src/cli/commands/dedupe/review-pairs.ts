import { decodeEntities, sanitizeLine } from '../../../base/text/escaping.ts'
import type { Candidate } from '../../../care/doubles/find-candidates.ts'
import {
  differingFields,
  type FieldSources,
  type Merge,
  mergeableFields,
  missingFields,
} from '../../../care/doubles/merge-plan.ts'
import type { Client } from '../../../client/client.ts'
import { equal } from '../../../contract/kinds/kind-values.ts'
import type { Answer, Resource } from '../../../contract/resource.ts'
import { cellText } from '../../../files/print/readable.ts'
import type { App } from '../../app.ts'
import { rememberDistinct } from '../../profiles/known-refs.ts'
import { writeLines } from '../../terminal/streams.ts'
import { linesWithin, pad, shorten } from '../../terminal/table.ts'

/** What each letter means, short enough to fit on one line together. */
const answers = {
  l: 'keep left',
  r: 'keep right',
  m: 'merge',
  n: 'not the same',
  s: 'skip',
  q: 'stop',
}

/** A record that is kept, with its future values and the records that it replaces. */
interface Survivor {
  readonly record: Answer
  readonly original: Answer
  readonly others: readonly Answer[]
  readonly sources: FieldSources
}

/** Asks about each pair; returns the merges of those that are the same. What is not the same is remembered at once, unless nothing is to be written. */
export async function reviewPairs(
  app: App,
  client: Client,
  resource: Resource,
  candidates: readonly Candidate[],
  dryRun = false,
): Promise<Merge[]> {
  const { askOneOf, meaningsOf } = await import('../../terminal/prompts.ts')
  if (candidates.length > 0) await app.world.stderr.write(`${meaningsOf(answers)}\n`)
  const survivors = new Map<number, Survivor>()
  const survivorOf = (record: Answer) =>
    survivors.get(record.id) ?? { record, original: record, others: [], sources: {} }
  for (const [index, candidate] of candidates.entries()) {
    const [left, right] = candidate.records.map(survivorOf)
    // Earlier pairs may have put both into one group already.
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
    const [survivor, duplicate] = answer === 'r' ? [right, left] : [left, right]
    const sources = answer === 'm' ? await askFields(app, resource, survivor.record, duplicate.record) : {}
    const union = join(survivor, duplicate, sources)
    for (const { id } of [union.original, ...union.others]) survivors.set(id, union)
  }
  return [...new Set(survivors.values())].map(({ original, others, sources }) => ({
    survivor: original,
    others,
    sources,
  }))
}

const whyOf = ({ reasons, score }: Candidate): string => `${reasons.join(', ')} (${score})`

/** `duplicate` may itself have replaced others, from which it took fields. */
function join(survivor: Survivor, duplicate: Survivor, sources: FieldSources): Survivor {
  const origins = Object.fromEntries(
    Object.keys(sources).map(name => [name, duplicate.sources[name] ?? duplicate.original.id]),
  )
  const values = Object.fromEntries(Object.keys(sources).map(name => [name, duplicate.record[name]]))
  return {
    record: { ...survivor.record, ...values },
    original: survivor.original,
    others: [...survivor.others, duplicate.original, ...duplicate.others],
    sources: { ...survivor.sources, ...origins },
  }
}

/** The fields that the kept record takes over: those that it lacks, and of those that differ, the ones that the user chooses. */
async function askFields(app: App, resource: Resource, survivor: Answer, duplicate: Answer): Promise<FieldSources> {
  const { askOneOf } = await import('../../terminal/prompts.ts')
  const sources: Record<string, number> = { ...missingFields(resource, survivor, [duplicate]) }
  for (const name of differingFields(resource, survivor, duplicate)) {
    const [left, right] = [survivor, duplicate].map(record => shorten(textOf(record[name]), 60))
    const side = await askOneOf(app.world, `${labelOf(name)}: ${left}, or ${right}?`, { l: 'left', r: 'right' })
    if (side === 'r') sources[name] = duplicate.id
  }
  return sources
}

const labelOf = (name: string): string => name.replaceAll('_', ' ')

const textOf = (value: unknown): string =>
  [value]
    .flat()
    .map(one => sanitizeLine(decodeEntities(cellText(one))))
    .join(', ')

const labelWidth = 14
const mostLines = 3

/** Shows two records side by side; `≠` marks the fields that differ. */
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
