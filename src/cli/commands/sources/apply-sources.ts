import { dirname, join } from 'node:path'
import pMap from 'p-map'
import { asFailure, Failure } from '../../../base/failure.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { PlanOptions } from '../../../changes/carry-out/front.ts'
import type { BuildContext } from '../../../changes/plan/making/context.ts'
import type { CreatesMissing } from '../../../client/name-lookup.ts'
import type { FileRecord } from '../../../files/records/file-record.ts'
import type { SourceMemory } from '../../../sources/memory.ts'
import { type Heard, planSources } from '../../../sources/plan-sources.ts'
import { readSource, type SourceReading } from '../../../sources/read-source.ts'
import type { Source, SourcesFile } from '../../../sources/source.ts'
import { lastRun, type ReadSource, stateAfter, validatorsOf } from '../../../sources/source-state.ts'
import { emptied } from '../../../sources/vanished.ts'
import type { App } from '../../app.ts'
import { whileLocked } from '../../profiles/change-file.ts'
import { buildContext, type CareOptions } from '../shared/build-context.ts'
import { openMemory, rememberAfter } from './open-memory.ts'
import { requireTrustedSources, sourcesHere, sourceWorld } from './source-world.ts'

export interface ApplySourcesOptions extends PlanOptions, CareOptions {
  readonly createMissing?: CreatesMissing
}

/** The memory beside a file of sources. */
export const memoryOf = ({ path }: Pick<SourcesFile, 'path'>): string => join(dirname(path), 'sources.memory.ndjson')

/** calctl sources apply: one plan of what all sources of this folder say now. */
export async function applySources(app: App, given: ApplySourcesOptions): Promise<void> {
  // What is wrong in one source stops no other.
  const options: ApplySourcesOptions = { ...given, skipInvalid: true }
  const file = await sourcesHere(app.world)
  if (options.dryRun === true || options.save !== undefined) return applyFile(app, file, options)
  requireTrustedSources(app.world, file)
  return whileLocked(memoryOf(file), () => applyFile(app, file, options))
}

async function applyFile(app: App, file: SourcesFile, options: ApplySourcesOptions): Promise<void> {
  const memory = await openMemory(app, memoryOf(file))
  const context = await buildContext(app, options)
  const readings = await readAll(app, file, memory, context)
  const heard = readings.flatMap(({ source, reading }) => heardIn(source, reading, file.sources.length > 1))
  const filePlan = { createMissing: options.createMissing, files: heard.map(({ source }) => source.name) }
  const made = await planSources(heard, {
    memory,
    context,
    options: filePlan,
    rules: file.sources,
    review: 'calctl sources review',
  })
  const failures = readings.flatMap(({ reading }) => (reading.state === 'failed' ? [reading.failure] : []))
  const before = lastRun(memory)
  const afterwards = () => {
    for (const one of readings) memory.setState(one.source.name, stateAfter(one, { memory, before, now: context.now }))
  }
  try {
    await rememberAfter(app, memory, { ...made, afterwards }, options)
  } catch (error) {
    const failure = asFailure(error)
    if (failures.length === 0 || failure.kind === 'declined') throw failure
    throw unreadSources([...failures, failure], failures.length)
  }
  if (failures.length > 0) throw unreadSources(failures, failures.length)
}

const unreadSources = (causes: readonly Failure[], count: number): Failure =>
  new Failure('partial', phrase('{count, plural, one {# source} other {# sources}} could not be read', { count }), {
    causes,
    hint: phrase('see since when with: {command}', { command: 'calctl sources status' }),
  })

/** Reads all sources; the readers wait for one another at the same host. */
async function readAll(
  app: App,
  file: SourcesFile,
  memory: SourceMemory,
  { zone: timezone, client, now }: BuildContext,
): Promise<ReadSource[]> {
  const notices: string[] = []
  const { baseUrl, id: calendar } = client.calendar
  const agent = baseUrl === undefined ? 'calctl' : `calctl (+${new URL(baseUrl).origin})`
  const world = sourceWorld(app, file, { notice: text => void notices.push(text), timezone, agent, calendar })
  const readings = await pMap(
    file.sources,
    async (source): Promise<ReadSource> => {
      const reading = await readSource(source, validatorsOf(memory, source.name), world)
      const isEmpty = reading.state === 'read' && reading.records.length + reading.leftOut.length === 0
      const failure = isEmpty ? emptied(source.name, memory, { now, zone: timezone }) : undefined
      return { source, reading: failure ? { state: 'failed', failure } : reading }
    },
    { concurrency: 4 },
  )
  for (const text of new Set(notices)) await app.notice(text)
  return readings
}

function heardIn(source: Source, reading: SourceReading, isOneOfSeveral: boolean): Heard[] {
  if (reading.state !== 'read') return []
  const records = reading.records.map(
    (record): FileRecord => (isOneOfSeveral ? { ...record, place: `${source.name}, ${record.place}` } : record),
  )
  return [{ source, records, leftOut: reading.leftOut }]
}
