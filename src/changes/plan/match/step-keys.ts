import { createHash } from 'node:crypto'
import { type Failure, usage } from '../../../base/failure.ts'
import { jointKey, keyOf, keyWithin, type MatchKey, nameKey } from '../../../base/text/match-key.ts'
import { type DateText, momentOf, readDate, wallMs } from '../../../base/time/dates.ts'
import { momentIn, wallAt } from '../../../base/time/zone.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Values } from '../../../client/client.ts'
import type { Language } from '../../../contract/languages.ts'
import type { Answer, Resource } from '../../../contract/resource.ts'
import { slugKey } from '../../../contract/slug.ts'
import type { FileRecord } from '../../../files/records/file-record.ts'

/** The fields that identify an event without ID and slug. */
export const defaultEventMatch = ['title', 'start_date', 'end_date']

/** The slug that a record of a file has. */
export const recordSlug = ({ values }: { readonly values: { readonly slug?: unknown } }): MatchKey | undefined =>
  slugKey(values.slug)

export interface KeyOptions {
  readonly resource: Resource
  readonly language: Language | undefined
  /** The fields of `--match`, which identify records without ID and slug. */
  readonly match: readonly string[] | undefined
  /** The time zone of events that have none. */
  readonly zone: string
  /** Whether a record is created even if it exists already. */
  readonly isAlwaysNew: (record: FileRecord) => boolean
}

/**
 * Gives each record of a file the key of its step, which is unique in the plan, and the same each time the plan is built. Refuses a record
 * that comes twice, and two events that could not be told apart when the file is applied again. Events that are always created may have the
 * same title and date; they are numbered.
 */
export class StepKeys {
  private readonly keys = new Set<string>()
  /** How many records have had the same key. */
  private readonly counts = new Map<string, number>()
  /** The place of each record in the file, by everything that identifies it. */
  private readonly places = new Map<MatchKey, string>()

  constructor(private readonly options: KeyOptions) {}

  /** The key of a record that matches an existing one, or is new. Throws `usage` if the record has come before. */
  keyFor(record: FileRecord, match: Answer | undefined): string {
    const key = this.baseKey(record, match)
    if (record.action === 'ignore') return key
    this.checkDuplicate(record, key, match)
    let unique = key
    const isIdentified = match !== undefined || recordSlug(record) !== undefined
    for (let number = this.counts.get(key) ?? 2; !isIdentified && this.keys.has(unique); number++) {
      unique = `${key} #${number}`
      this.counts.set(key, number + 1)
    }
    this.keys.add(unique)
    return unique
  }

  private baseKey(record: FileRecord, match: Answer | undefined): string {
    const { language, resource } = this.options
    const { name, title } = resource
    if (match) return `${name} ${match.id}`
    const { values } = record
    const titleAndStart = [values[title], values.start_date].filter(part => part !== undefined).join(' ')
    return [name, language, recordSlug(record) ?? titleAndStart].filter(part => part !== undefined).join(' ')
  }

  private checkDuplicate(record: FileRecord, key: string, match: Answer | undefined): void {
    const slug = recordSlug(record)
    const isUnidentified = record.id === undefined && slug === undefined
    const own = match !== undefined || slug !== undefined ? keyOf(key) : undefined
    const content = isUnidentified ? this.contentOf(record, key) : undefined
    const identities = [own, content].filter(identity => identity !== undefined)
    const earlier = identities.map(identity => this.places.get(identity)).find(place => place !== undefined)
    if (earlier !== undefined) throw duplicate(this.options.resource, earlier, isUnidentified)
    for (const identity of identities) this.places.set(identity, record.place)
  }

  /**
   * The values that identify a record without ID and slug: every value of an event that is always created, because its title and dates may
   * come more than once.
   */
  private contentOf(record: FileRecord, key: string): MatchKey | undefined {
    const { resource, match = record.match, zone, isAlwaysNew } = this.options
    const { values } = record
    if (resource.name === 'events') {
      if (isAlwaysNew(record)) return keyOf(digest(`${key} ${JSON.stringify(values)}`))
      const instants = withInstants(values, zone)
      // An event has an end or none; both count.
      const ending = nameKey(instants.end_date) ?? ''
      return (match && jointKey(match, instants)) ?? keyWithin(ending, jointKey(['title', 'start_date'], instants))
    }
    const others = ['parent', ...(match ?? [])].map(field => nameKey(values[field]) ?? '')
    return keyWithin(JSON.stringify(others), nameKey(values[resource.title]))
  }
}

function duplicate({ name }: Resource, place: string, isUnidentified: boolean): Failure {
  const ofEvents = isUnidentified
    ? phrase('remove one of them, or give each its own slug')
    : phrase('remove one of them')
  const hint = name === 'events' ? ofEvents : phrase('remove one of them, or add the ID of each')
  return usage(phrase('duplicate of {place}', { place }), hint)
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')

const ends = ['start_date', 'end_date'] as const

/** The date in a field, if it has a UTC offset and so is an instant. */
function dateWithOffset(values: Values, name: string): DateText | undefined {
  const date = readDate(String(values[name] ?? ''))
  return date?.offset === undefined ? undefined : date
}

/** The values of an event, with start and end as wall times of its zone. */
export function withWallTimes(values: Values, defaultZone: string): Values {
  const zone = String(values.timezone || defaultZone)
  const result: Record<string, unknown> = { ...values }
  for (const name of ends) {
    const date = dateWithOffset(values, name)
    if (date) result[name] = wallAt(momentOf(date), zone)
  }
  return result
}

/** The same, with an instant for a wall time that occurs twice if the offset means the second one. */
function withInstants(values: Values, defaultZone: string): Values {
  const zone = String(values.timezone || defaultZone)
  const result: Record<string, unknown> = { ...withWallTimes(values, defaultZone) }
  for (const name of ends) {
    const date = dateWithOffset(values, name)
    if (date && momentIn(String(result[name]), zone) !== momentOf(date)) result[name] = momentOf(date)
  }
  return result
}

/** Whether an event starts and ends at the instants in these values; a wall time without an offset fits both of its instants. */
export const isAtInstants = (event: Answer, values: Values): boolean =>
  ends.every(name => {
    const date = dateWithOffset(values, name)
    return !date || momentOf(date) === wallMs(String(event[`utc_${name}`]))
  })
