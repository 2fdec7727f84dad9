import { Failure, refused } from '../../base/failure.ts'
import { isObject } from '../../base/text/json.ts'
import { phrase } from '../../base/words/phrase.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { hiddenSecret } from '../../contract/field.ts'
import type { Difference, Differences } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { namedRecord, theRecord } from '../../contract/resource-words.ts'
import { placeOf } from '../calendar.ts'
import type { Calendar, Reads, Values } from '../client.ts'
import { credentialsHint } from '../http/problems/unavailable.ts'

/** The passwords among values that protect a record; values that clear one are left out. */
export const secretsIn = ({ fields }: Resource, values: Values): string[] =>
  Object.keys(values).filter(name => fields[name]?.secret && Boolean(values[name]))

/**
 * Throws `refused`, before anything is sent, for a record whose password the site cannot store, or whose password an export did not
 * contain: without it the record would be public.
 */
export async function checkSecrets(client: Reads, resource: Resource, values: Values, id?: number): Promise<void> {
  const names = secretsIn(resource, values)
  const [name] = names
  if (name === undefined) return
  const title = values[resource.title]
  const key = id ?? (title === undefined ? undefined : `"${title}"`)
  const record = key === undefined ? theRecord(resource.name) : namedRecord(resource.name, key)
  if (names.some(name => values[name] === hiddenSecret))
    throw refused(
      phrase('{record} needs its password, which the export does not have', { record }),
      phrase('write it into {field}, or leave that out if {record} may be public', {
        field: name,
        record: theRecord(resource.name),
      }),
    )
  const wordpress = await client.wordpress(values.lang_code, { askAgain: true })
  if (await wordpress?.isOpen(resource)) return
  throw unsettableSecret(client, resource, record, name)
}

export const unsettableSecret = ({ calendar }: Reads, resource: Resource, record: string, name: string): Failure =>
  new Failure(
    'refused',
    phrase('{record} has a password, which cannot be set {place}', { record, place: placeOf(calendar) }),
    {
      isFinal: true,
      hint: phrase(
        'use the credentials of an editor at a site with wp/v2, or leave out {field} if {record} may be public',
        { field: name, record: theRecord(resource.name) },
      ),
    },
  )

/** The values with a status that only editors see, until the second request sets the password of the new record. */
export const guarded = (resource: Resource, values: Values, others: Values): Values =>
  isGuarded(resource, values) ? { ...others, status: 'private' } : others

export const isGuarded = (resource: Resource, values: Values): boolean =>
  secretsIn(resource, values).length > 0 && (values.status ?? 'publish') === 'publish'

/** Differences without the values of secrets. */
export const maskSecrets = ({ fields }: Resource, differences: Differences): Differences =>
  Object.fromEntries(
    Object.entries(differences).map(([name, difference]) => [name, fields[name]?.secret ? masked : difference]),
  )

const masked: Difference = { before: null, after: null, asked: hiddenSecret }

/**
 * Whether an answer shows only the title and dates of a record, because it has a password: The Events Calendar then answers `null` for its
 * flags, no texts, and empty lists of links.
 */
export const isBlanked = ({ fields }: Resource, record: Answer): boolean =>
  Object.values(fields).some(({ queryOnly }) => queryOnly) && record.all_day === null && record.featured === null

/** Whether anybody can read the whole record: it is published, and has no password. */
export const isPublicRecord = (resource: Resource, record: Answer): boolean =>
  (record.status ?? 'publish') === 'publish' && !isBlanked(resource, record)

/** Whether anybody can find a record in a list: it is public and not hidden. */
export const isListed = (resource: Resource, record: Answer): boolean =>
  isPublicRecord(resource, record) && record.hide_from_listings !== true

/** A public record with only those links that anybody can follow: its venue may be a draft. */
export function withPublicLinks({ fields }: Resource, record: Answer): Answer {
  const links = Object.entries(fields).flatMap(([name, { of }]) => {
    const value = record[name]
    const linked = [value].flat()
    if (of === undefined || !linked.some(isObject)) return []
    const shown = linked.filter(one => !isObject(one) || isPublicRecord(resourceNamed(of), one as Answer))
    return [[name, Array.isArray(value) ? shown : shown[0]]]
  })
  return { ...record, ...Object.fromEntries(links) }
}

/** The failure for a write to a record of which the site shows only the title and dates. */
export const blankedFailure = ({ name }: Resource, { id }: Answer, calendar: Calendar): Failure =>
  refused(
    phrase('{record} is password-protected, and its fields are not shown {place}', {
      record: namedRecord(name, id),
      place: placeOf(calendar),
    }),
    [phrase('use the credentials of an editor, or update it alone with: --password …'), credentialsHint(calendar)].join(
      '; ',
    ),
  )

/** The field for the password of a record; undefined if records of the resource have none. */
export const secretOf = ({ fields }: Resource): string | undefined =>
  Object.entries(fields).find(([, field]) => field.secret)?.[0]
