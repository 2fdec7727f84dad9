import type { Form } from './form.ts'

/** What of a record is shown: all of it, or the wanted fields. */
export type Projection = (record: unknown) => unknown

const indented = (value: unknown) => JSON.stringify(value, null, 2)

/** One object, over several lines. */
export const jsonObject = (project: Projection): Form => ({ record: record => `${indented(project(record))}\n` })

/** An array, over several lines: the same on a terminal and in a pipe, which has NDJSON for lines. */
export const jsonArray = (project: Projection): Form => ({
  open: '[',
  record: (record, index) => `${index === 0 ? '' : ','}\n  ${indented(project(record)).replaceAll('\n', '\n  ')}`,
  close: count => (count === 0 ? ']\n' : '\n]\n'),
})

/** A record per line. */
export const ndjson = (project: Projection): Form => ({ record: record => `${JSON.stringify(project(record))}\n` })
