import { resourceNamed } from '../../contract/contract.ts'
import type { organizers } from '../../contract/organizers.ts'
import type { Write } from '../dialect.ts'
import type { ParameterValues } from '../request-context.ts'
import { blanks } from '../store/record.ts'
import type { PlaceTable, Rows } from '../store/rows.ts'
import type { ValuesOf } from '../values.ts'
import { publication } from './dates.ts'
import { imageId } from './images.ts'
import { plainValues } from './write.ts'

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
  const row: Rows[T] = {
    ...(old ?? { ...blank, id: writing.nextId('post'), lang_code: context.language }),
    ...plainValues(fields, values, blank),
    ...post(write, values, old),
  }
  const named = { ...row, slug: dialect.slugFor(context, of, row, nameOf(row)) }
  writing.put(of, named)
  return named
}

/** What a venue or organizer is called. */
export const nameOf = (row: Rows[PlaceTable]): string => ('venue' in row ? row.venue : row.organizer)

type Common = Pick<ValuesOf<typeof organizers.fields>, 'author' | 'image' | 'status' | 'date' | 'date_utc'>

const post = (write: Write, values: Common, old?: Rows[PlaceTable]) => ({
  ...publication(write, values, old),
  ...(values.author !== undefined && { author: values.author ?? blanks.venues.author }),
  ...(values.image !== undefined && { image: imageId(write, values.image) }),
})
