import { resourceNamed } from '../../contract/contract.ts'
import type { Write } from '../dialect.ts'
import type { ParameterValues } from '../request-context.ts'
import { blanks } from '../store/blank-rows.ts'
import type { PlaceTable, Rows } from '../store/rows.ts'
import { publication } from './dates.ts'
import { storedValues } from './stored-values.ts'

/** Writes a new venue or organizer, or what was given of one that is there. */
export function writePlace<T extends PlaceTable>(
  write: Write,
  of: T,
  values: ParameterValues,
  changed?: Rows[T],
): Rows[T] {
  const { context, writing, dialect } = write
  const { fields, title } = resourceNamed(of)
  const blank = blanks[of]
  const old = changed ?? dialect.overwritten(context, of, String(values[title] ?? ''))
  const computed = publication(write, values, old)
  const row: Rows[T] = {
    ...(old ?? { ...blank, id: writing.nextId('post'), lang_code: context.language }),
    ...storedValues(write, fields, values, blank, computed),
    ...computed,
  }
  const named = { ...row, slug: dialect.slugFor(context, of, row, nameOf(row)) }
  writing.put(of, named)
  return named
}

/** What a venue or organizer is called. */
export const nameOf = (row: Rows[PlaceTable]): string => ('venue' in row ? row.venue : row.organizer)
