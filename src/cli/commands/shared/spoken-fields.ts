import { interfaceLanguage } from '../../../base/words/phrase.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import type { Resource } from '../../../contract/resource.ts'
import { columnNamed, foldHeading } from '../../../files/csv/heading-names.ts'
import type { Shape } from '../../../files/print/printed-rows.ts'
import { columnHeading } from '../../terminal/column-headings.ts'
import { namesOf, resourceOf } from '../../terminal/unknown-fields.ts'

/**
 * The path for a name in Catalan or Spanish, if the interface is not in English: that of the column with this heading, or of the field that
 * sheets call so. Other names stay as they are. `preu` is `cost`, `lloc.població` is `venue.city`.
 */
export function pathCalled(name: string, shapes: readonly Shape[]): string {
  if (interfaceLanguage() === 'en') return name
  const [top = '', ...inner] = name.split('.')
  for (const shape of shapes) {
    const path = knownPath(top, shape)
    if (path === undefined) continue
    const linked = resourceOf(shape)?.fields[path]?.of
    const rest = linked && inner.length > 0 ? [pathCalled(inner.join('.'), [resourceNamed(linked)])] : inner
    return [path, ...rest].join('.')
  }
  return name
}

function knownPath(name: string, shape: Shape): string | undefined {
  const paths = namesOf(shape)
  if (paths.includes(name.toLowerCase().replaceAll('-', '_'))) return name
  const wanted = foldHeading(name)
  const path = paths.find(one => wanted !== '' && foldHeading(columnHeading(one, shape)) === wanted)
  const resource = resourceOf(shape)
  return path ?? (resource && fieldOfColumn(columnNamed(name, resource), resource))
}

/** The field of a column in sheets, which may contain a part of it: `start_date.day`, `venue.name`, `place.city`. */
function fieldOfColumn(column: string | undefined, { fields }: Resource): string | undefined {
  const [, ofPlace] = /^place\.(\w+)$/.exec(column ?? '') ?? []
  if (ofPlace !== undefined) return `venue.${ofPlace}`
  const [, field = '', part] = /^(\w+?)(?:\.(\w+))?$/.exec(column ?? '') ?? []
  const isWhole = part === undefined || ['at', 'day', 'time', 'name', 'names', 'amount'].includes(part)
  return isWhole && field in fields ? field : undefined
}
