import { drawRows, gap } from './draw.ts'
import { widthOf, wrap } from './fit.ts'
import type { Row, Shape } from './form.ts'
import { painter } from './paint.ts'
import { heading, readable } from './readable.ts'
import type { Surface } from './table.ts'

/** One record as two columns: what it has, and beside it the value, whole. */
export function recordText(record: Row, paths: readonly string[], { color, columns, zone }: Surface): string {
  const paint = painter(color)
  const labels = paths.map(heading)
  const room = (columns ?? Number.POSITIVE_INFINITY) - Math.max(...labels.map(widthOf)) - gap
  return drawRows(
    paths.map((path, at) => [
      paint.heading(labels[at] ?? ''),
      paint.cell(path, wrap(readable(record, path, zone), Math.max(room, 20))),
    ]),
  )
}

/** What a record has to say for itself: its id, those of its fields that are not empty, and where it is. */
export const filledPaths = (record: Row, shape: Shape): string[] =>
  ['id', ...Object.keys(shape.fields), 'lang_code', 'count', 'url'].filter(path => readable(record, path) !== '')
