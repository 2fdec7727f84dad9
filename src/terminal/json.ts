import type { Form } from './form.ts'

type Shape = (record: unknown) => unknown

const indented = (value: unknown) => JSON.stringify(value, null, 2)

/** One object, over several lines. */
export const jsonObject = (shape: Shape): Form => ({ record: record => `${indented(shape(record))}\n` })

/** An array, over several lines: the same on a terminal and in a pipe, which has NDJSON for lines. */
export const jsonArray = (shape: Shape): Form => ({
  open: '[',
  record: (record, index) => `${index === 0 ? '' : ','}\n  ${indented(shape(record)).replaceAll('\n', '\n  ')}`,
  close: count => (count === 0 ? ']\n' : '\n]\n'),
})

/** A record per line. */
export const ndjson = (shape: Shape): Form => ({ record: record => `${JSON.stringify(shape(record))}\n` })
