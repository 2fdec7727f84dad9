import { type Failure, usage } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import { answerSchemas as answers } from '../../contract/answer-schemas.ts'
import { resourceNamed, resources } from '../../contract/contract.ts'
import { largestPage } from '../../contract/filter.ts'
import type { Resource } from '../../contract/resource.ts'
import { recordsNoun } from '../../contract/resource-words.ts'
import { isOne, type Row, type RowSource, type Shape, valueAt } from '../../files/print/printed-rows.ts'
import { meantInstead } from '../failures.ts'

/**
 * Throws `usage` for a name in --fields that the output cannot have, before anything is sent. Services may answer fields that are not in
 * the contract: with `mayHaveMoreFields`, `withKnownFields` checks the names against the records.
 */
export function checkFields(shape: Shape, paths: readonly string[], mayHaveMoreFields: boolean): void {
  if (mayHaveMoreFields && resourceOf(shape)) return
  const unknown = paths.find(path => !isKnown(shape, path) && !mayBeInside(shape, path))
  if (unknown !== undefined) throw noSuchField(shape, unknown)
}

/**
 * Returns the records unchanged; throws before the first one if --fields has a name that is neither in the contract nor
 * in them.
 */
export async function withKnownFields(
  shape: Shape,
  records: Row | RowSource,
  paths: readonly string[],
): Promise<Row | RowSource> {
  const resource = resourceOf(shape)
  const unseen = new Set(resource && paths.filter(path => !isKnown(shape, path)))
  if (unseen.size === 0) return records
  if (isOne(records)) {
    markSeen(unseen, records)
    checkUnseen(shape, unseen, false)
    return records
  }
  const iterator = iteratorOf(records)
  const ahead: Row[] = []
  // Reads one page ahead at most.
  while (unseen.size > 0 && ahead.length < largestPage) {
    const { value, done } = await iterator.next()
    if (done) break
    ahead.push(value)
    markSeen(unseen, value)
  }
  checkUnseen(shape, unseen, ahead.length === 0)
  return prepend(ahead, iterator)
}

async function* iteratorOf(records: RowSource): AsyncGenerator<Row> {
  yield* records
}

async function* prepend(ahead: readonly Row[], rest: AsyncGenerator<Row>): AsyncGenerator<Row> {
  yield* ahead
  yield* rest
}

function markSeen(unseen: Set<string>, record: Row): void {
  for (const path of unseen) if (mayHave(record, path.split('.'))) unseen.delete(path)
}

function checkUnseen(shape: Shape, unseen: Set<string>, isEmpty: boolean): void {
  const unknown = [...unseen].find(path => !(isEmpty && mayBeInside(shape, path)))
  if (unknown !== undefined) throw noSuchField(shape, unknown)
}

/** Whether a value has the path, or is empty where other records may have it. */
function mayHave(value: unknown, path: readonly string[]): boolean {
  const [name, ...rest] = path
  if (name === undefined || value === null || value === false || value === '') return true
  if (Array.isArray(value)) return value.length === 0 || value.some(item => mayHave(item, path))
  if (typeof value !== 'object') return false
  const inner = Object.entries(value).find(([key]) => key === name)
  return inner !== undefined && mayHave(inner[1], rest)
}

/** The failure for an unknown name, with the most similar known one. */
function noSuchField(shape: Shape, path: string): Failure {
  const resource = resourceOf(shape)
  const known = siblingNames(shape, path)
  if (!resource) return fieldMissing(path, known)
  const all = phrase('list all fields with: {command}', { command: `calctl ${resource.name} list --limit 1 --json` })
  return usage(
    phrase('--fields: no field "{path}" in {records}', { path, records: recordsNoun(resource.name) }),
    meantInstead(path, known, all),
  )
}

const fieldMissing = (path: string, known: readonly string[]): Failure =>
  usage(
    phrase('--fields: no field "{path}"', { path }),
    meantInstead(path, known, phrase('fields: {list}', { list: known.join(', ') })),
  )

/** Throws `usage` for a path that a value does not have. */
export function checkValueFields(value: unknown, paths: readonly string[]): void {
  const unknown = paths.find(path => !mayHave(value, path.split('.')))
  if (unknown === undefined) return
  const above = unknown.split('.').slice(0, -1)
  const known = Object.keys(Object(above.length > 0 ? valueAt(value, above.join('.')) : value)).map(name =>
    [...above, name].join('.'),
  )
  throw fieldMissing(unknown, known)
}

const isKnown = (shape: Shape, path: string): boolean => siblingNames(shape, path).includes(path)

/** Whether a path leads into a field whose inner names are unknown. */
function mayBeInside(shape: Shape, path: string): boolean {
  const [top = '', ...rest] = path.split('.')
  return rest.length > 0 && namesOf(shape).includes(top) && linkedPaths(shape, top).length === 0
}

/** The known names at the level of a path: those of the record, or for `venue.city` those of a linked record. */
function siblingNames(shape: Shape, path: string): string[] {
  const [top = '', ...rest] = path.split('.')
  const isInside = rest.length > 0 && namesOf(shape).includes(top)
  return isInside ? linkedPaths(shape, top) : namesOf(shape)
}

export const resourceOf = (shape: Shape): Resource | undefined => resources.find(resource => resource === shape)

/** The names that a shape is known to have. */
export function namesOf(shape: Shape): string[] {
  const resource = resourceOf(shape)
  const answered = resource ? Object.keys(answers[resource.name].properties) : []
  return [...new Set([...shape.columns, ...Object.keys(shape.fields), ...answered])]
}

/** The paths into a linked record: `venue.city`. */
function linkedPaths(shape: Shape, top: string): string[] {
  const linked = resourceOf(shape)?.fields[top]?.of
  return linked ? namesOf(resourceNamed(linked)).map(name => `${top}.${name}`) : []
}
