import { drawRows, gap } from './draw.ts'
import { widthOf, wrap } from './fit.ts'
import type { Row, Shape, Surface } from './form.ts'
import { painter } from './paint.ts'
import { heading, readable } from './readable.ts'

/** One record as two columns: what it has, and beside it the value, whole. */
export const recordText = (record: Row, paths: readonly string[], surface: Surface): string =>
  blockText(
    paths,
    paths.map(path => readable(record, path, surface.zone)),
    surface,
  )

/** Paths and the values that stand there, as two columns. */
export function blockText(paths: readonly string[], values: readonly string[], { color, columns }: Surface): string {
  const paint = painter(color)
  const labels = paths.map(heading)
  const room = (columns ?? Number.POSITIVE_INFINITY) - Math.max(...labels.map(widthOf)) - gap
  return drawRows(
    paths.map((path, at) => [
      paint.heading(labels[at] ?? ''),
      paint.cell(path, wrap(values[at] ?? '', Math.max(room, 20))),
    ]),
  )
}

/** What a record has to say for itself: its id, those of its fields that are not empty, and where it is. */
export const filledPaths = (record: Row, shape: Shape): string[] =>
  ['id', ...Object.keys(shape.fields), 'lang_code', 'count', 'url'].filter(path => readable(record, path) !== '')
