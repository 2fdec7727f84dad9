import type { Answer, Resource } from '../../contract/resource.ts'
import type { Language } from '../../contract/words.ts'
import { Failure } from '../../failure.ts'
import type { FileRecord } from '../../files/record.ts'
import type { Reader } from '../reader.ts'
import { filtered } from '../spool.ts'
import type { There } from '../there.ts'
import { slugIn } from './keys.ts'
import { namesakes } from './namesakes.ts'

/** How the records of a file are recognised at a site. */
export interface Recognition {
  readonly reader: Reader
  readonly resource: Resource
  readonly language: Language | undefined
  /** The fields that say which record one without an ID and slug is. */
  readonly match: readonly string[] | undefined
  /** Those that are not to be made anew in any case. */
  readonly records: Iterable<FileRecord>
  /** How many of the records have no ID. */
  readonly unnumbered: number
}

/** Finds the record that one of a file is about; throws `usage` where it can be several. */
export type Locate = (record: FileRecord) => Answer | undefined

/**
 * Makes what reads the records that some of a file need to be found, and finds them: by ID, else by slug, else by the fields
 * that say which it is. One that is to be restored is looked for in the trash. An ID that is not there any more says nothing of
 * a record that an export has; of any other, it says that there is none.
 */
export function locator(recognition: Recognition): (records: readonly FileRecord[]) => Promise<Locate> {
  const { reader, resource, language, match, records: whole, unnumbered } = recognition
  const place = { resource, language }
  let called: Locate | undefined
  const matched = ({ match: own, values }: FileRecord) => {
    const fields = match ?? own
    return fields?.every(name => values[name] !== undefined) ? fields : undefined
  }
  /** Events often share a name; of other records with one name, one is rarely meant beside another. */
  const isCalled = (record: FileRecord) => resource.name !== 'events' || matched(record) !== undefined

  return async records => {
    const live = records.filter(record => !isTrashed(record))
    const trash = live.length < records.length ? await reader.whole({ ...place, trashed: true }) : undefined
    const withIds = await reader.withIds(
      place,
      live.flatMap(({ id }) => id ?? []),
    )
    const isTold = ({ id, origin }: FileRecord) => id !== undefined && (origin === undefined || withIds.has(id))
    const others = live.filter(record => !isTold(record))
    const there = others.some(isCalled) ? await reader.whole(place) : undefined
    const slugs = others.flatMap(record => slugIn(record) ?? [])
    called ??=
      there && resource.name !== 'events'
        ? namesakes(
            resource,
            filtered(whole, one => !isTrashed(one)),
            there,
          )
        : undefined
    const withSlug = slugs.length > 0 ? await reader.withSlugs(place, slugs, Math.max(unnumbered, slugs.length)) : none
    return record => {
      if (isTrashed(record)) return trash && inTrash(trash, record)
      if (record.id !== undefined && isTold(record)) return withIds.get(record.id)
      const fields = matched(record)
      if (!fields && called) return called(record)
      const one = withSlug(slugIn(record) ?? '')
      return one || !there || !fields ? one : onlyOne(resource, fields, there.like(fields, record.values))
    }
  }
}

const none = () => undefined

const isTrashed = ({ action }: FileRecord) => action === 'restore'

/** Slugs change in the trash. */
function inTrash(trash: There, record: FileRecord): Answer | undefined {
  if (record.id !== undefined) return trash.withId(record.id)
  const slug = slugIn(record)
  return slug === undefined ? undefined : (trash.withSlug(slug) ?? trash.withSlug(`${slug}__trashed`))
}

function onlyOne(resource: Resource, fields: readonly string[], found: readonly Answer[]): Answer | undefined {
  if (found.length < 2) return found[0]
  const ids = found.map(({ id }) => id).join(', ')
  throw new Failure('usage', `${found.length} ${resource.name} have this ${fields.join(' and ')}: ${ids}`, {
    hint: `say which by its ID${resource.name === 'events' ? ', or match more fields: --match title+start_date+end_date' : ''}`,
  })
}
