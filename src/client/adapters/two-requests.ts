import { Failure } from '../../base/failure.ts'
import { listOf } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import { differences, onlyShown } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { fieldLabel, namedRecord } from '../../contract/resource-words.ts'
import type { Values, WordPress, WriteResult } from '../client.ts'

/**
 * Sends the second of two requests. Drift of the first one that the second one corrects does not count; if the second one fails, the
 * failure says what was written.
 */
export async function completed(
  { resource, base }: Patching,
  { result, done, missing }: FirstPart,
  sendSecond: (record: Answer) => Promise<WriteResult>,
): Promise<WriteResult> {
  try {
    const { record, drift } = await sendSecond(result.record)
    const remaining = differences(resource, base, record)
    const kept = Object.entries(result.drift).filter(([name, difference]) => 'asked' in difference || name in remaining)
    return { record, drift: { ...Object.fromEntries(kept), ...drift } }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const fields = Object.keys(missing).length > 0 ? Object.keys(missing) : ['cost']
    const written = Object.keys(done)
    const { id } = result.record
    const labels = (names: readonly string[]) => listOf(names.map(name => fieldLabel(name, resource.fields[name])))
    const message = phrase('{record}: changed {written}, but not {missing}: {problem}', {
      record: namedRecord(resource.name, id),
      written: labels(written),
      missing: labels(fields),
      problem: error.message,
    })
    const again = phrase('run the same command again: it makes only the missing changes')
    throw new Failure('conflict', message, {
      ...error.details,
      hint: error.details.otherwise ? `${again}; ${error.details.otherwise}` : again,
      record: onlyShown(result.record),
      written,
    })
  }
}

/** A record and what is needed to patch it. */
export interface Patching {
  readonly wordpress: WordPress
  readonly resource: Resource
  /** The record with its stored cost; read again before a patch is sent again. */
  base: Answer
}

/** The first of two requests of an update. */
export interface FirstPart {
  readonly result: WriteResult
  /** The values that the first request sent, and those of the second one. */
  readonly done: Values
  readonly missing: Values
}
