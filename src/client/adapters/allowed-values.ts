import { type Failure, refused, usage } from '../../base/failure.ts'
import { memoizeByObject } from '../../base/memoize.ts'
import { lettersMistake } from '../../base/text/mojibake.ts'
import { asOption } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Field } from '../../contract/field.ts'
import { readingMistake } from '../../contract/reading.ts'
import { knownValue } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { onlyForEditors } from '../../contract/restrictions.ts'
import type { Restriction } from '../../contract/site-field.ts'
import { slugOf } from '../../contract/slug.ts'
import { isApplied } from '../../contract/three-way-merge.ts'
import type { Reads, Values } from '../client.ts'
import { showsStored } from './shown-stored-records.ts'
import { isPatchOnly } from './write-result.ts'

/**
 * The values to send, without those that the site cannot write but the record has already; throws `refused` for any other value that it
 * cannot write, before anything is sent. `before` is absent for a new record.
 */
export type Allow = (resource: Resource, values: Values, before?: Answer, label?: FieldLabel) => Promise<Values>

/** What a field is called where its value was written. */
type FieldLabel = (field: string) => string

interface AllowOptions {
  /** The values are those of another record, with what is wrong in them. */
  readonly isCopy?: boolean
  /**
   * Gets the fields that nothing can write; they are then left out instead of refused. An export has such values, for example the
   * publication dates of drafts.
   */
  readonly onLeftOut?: (field: string) => void
}

/** What a site can write, and what becomes of the rest. */
interface Limits extends AllowOptions {
  readonly client: Reads
  canPatch(resource: Resource): Promise<boolean>
}

interface Checked {
  readonly resource: Resource
  readonly values: Values
  /** Absent for a new record. */
  readonly before: Answer | undefined
  readonly isNew: boolean
}

/** Checks values against what the site of a client can do. */
export function createAllow(client: Reads, options: AllowOptions = {}): Allow {
  const canPatch = memoizeByObject((resource: Resource) => showsStored(client, { resource }, { askAgain: true }))
  const limits: Limits = { ...options, client, canPatch }

  return async (resource, given, before, label) => {
    if (!options.isCopy) checkLetters(resource, given, before, label)
    const values = forRecord(client.capabilities, resource, { given, before, label })
    const status = String(values.status ?? before?.status ?? 'publish')
    const impossible = impossibleValues(resource, values, { status, isNew: true }).filter(
      ({ field }) => !client.capabilities.takesEveryValue || isPatchOnly(resource, field),
    )
    if (impossible.length === 0) return values
    // The site may have the stored form of the values that would be refused already.
    const names = impossible.flatMap(({ field, shownWrong }) => (shownWrong ? field : []))
    const known = before && (names.length > 0 ? await withStored(client, resource, before, names) : before)
    const checked: Checked = { resource, values, before: known, isNew: before === undefined }
    const allowed: Record<string, unknown> = { ...values }
    for (const one of impossible) {
      allowed[one.field] = await valueInstead(limits, checked, one, label)
      if (allowed[one.field] === undefined) delete allowed[one.field]
    }
    return allowed
  }
}

/** The values as people mean them for a record, such as an amount in the currency that it has; throws `usage` for doubtful ones. */
function forRecord(
  { keepsCurrencies }: Reads['capabilities'],
  { fields }: Resource,
  { given, before, label = asOption }: { given: Values; before: Answer | undefined; label: FieldLabel | undefined },
): Values {
  const values: Record<string, unknown> = { ...given }
  for (const [name, value] of Object.entries(given)) {
    const field = fields[name]
    if (!field?.kind.forRecord || value === undefined || value === null) continue
    const answer = before ?? {}
    const reading = field.kind.forRecord(value, { name, field, answer }, keepsCurrencies)
    const mistake = readingMistake(reading, field.kind.text(value))
    if (mistake) throw usage(`${label(name)}: ${mistake.message}`, mistake.hint)
    if ('value' in reading) values[name] = reading.value
  }
  return values
}

/** Refuses wrong letters, unless the field of the record has some already: another change must not have to mend them. */
function checkLetters({ fields }: Resource, values: Values, before?: Answer, label: FieldLabel = asOption): void {
  const mistakeIn = (value: unknown) => lettersMistake(typeof value === 'string' ? value : JSON.stringify(value ?? ''))
  for (const [name, value] of Object.entries(values)) {
    const { secret, queryOnly } = fields[name] ?? {}
    if (secret || queryOnly || mistakeIn(before?.raw?.[name] ?? before?.[name])) continue
    const mistake = mistakeIn(value)
    if (mistake) throw usage(`${label(name)}: ${mistake.message}`, mistake.hint)
  }
}

/** What to send for a value that the events API cannot write; undefined if that is nothing. */
async function valueInstead(limits: Limits, checked: Checked, one: Impossible, label?: FieldLabel): Promise<unknown> {
  const { resource, values } = checked
  const { client, onLeftOut } = limits
  if (one.patchable && isNothingToDo(checked, one.field)) return undefined
  if (one.patchable && !one.shownWrong && (await limits.canPatch(resource))) return values[one.field]
  // A record that would become public without its password is refused later, by `checkSecrets`.
  if (onLeftOut && resource.fields[one.field]?.secret) return values[one.field]
  const isLost = isNeverWritten(checked, one)
  if (onLeftOut && isLost) onLeftOut(one.field)
  if (onLeftOut && (isLost || !one.patchable)) return undefined
  throw notPossible(client, one, label)
}

/** Whether a value of a file is left out for good, because no later request can write it either. */
const isNeverWritten = ({ resource, before }: Checked, { field, patchable }: Impossible): boolean =>
  isPatchOnly(resource, field) || (!patchable && before === undefined)

async function withStored(client: Reads, resource: Resource, before: Answer, names: readonly string[]) {
  const { withRawValues } = await import('./stored-records.ts')
  const [stored = before] = await withRawValues(client, resource, [before], { names })
  return stored
}

/** Whether there is nothing to write: a new record has nothing to clear, and an existing one may have the value already. */
function isNothingToDo({ resource, values, before, isNew }: Checked, name: string): boolean {
  const { [name]: value, [resource.title]: title } = values
  const field = resource.fields[name]
  if (field?.secret) return isNew && value === ''
  if (isNew && isPatchOnly(resource, name)) return value === slugOf(String(title ?? ''))
  if (isNew && field?.site?.apart) return value === ''
  if (isNew) return name !== 'cost'
  if (before === undefined || field === undefined || knownValue(name, field, before) === undefined) return false
  return isApplied(name, field, value, before)
}

/**
 * Why the events API cannot write these values in place of `wp/v2`: it has no such field, or every update would change the stored cost that
 * it must send back.
 */
export function unwritable(client: Reads, resource: Resource, before: Answer, values: Values): Failure | undefined {
  if (client.capabilities.takesEveryValue) return undefined
  const cost = before.raw?.cost
  const sent = cost === undefined || cost === '' ? values : { cost, ...values }
  const status = String(values.status ?? before.status ?? 'publish')
  const one = impossibleValues(resource, sent, { status }).find(
    ({ field, patchable }) =>
      patchable && (!(field in values) || !isNothingToDo({ resource, values, before, isNew: false }, field)),
  )
  if (!one) return partlyLost(client, resource, before, values)
  // The site has `wp/v2`, but not for this record: a mark in the title would be refused, too.
  const restriction = resource.fields[one.field]?.site?.apart ? onlyForEditors : one.restriction
  return notPossible(client, { ...one, restriction })
}

/** The failure of an update that would have to send back a value of which the events API loses a part. */
function partlyLost({ calendar }: Reads, { fields }: Resource, before: Answer, values: Values): Failure | undefined {
  const isLost = ([name, field]: [string, Field]) =>
    field.site?.resets && !(name in values) && field.kind.losesPart?.({ name, field, answer: before })
  const [name] = Object.entries(fields).find(isLost) ?? []
  if (name === undefined) return undefined
  const value = JSON.stringify(before[name])
  const message = phrase('{field}: the events API of {calendar} would not keep all of {value}', {
    field: name,
    calendar: calendar.label,
    value,
  })
  return refused(
    message,
    phrase('write it as well, with {option}; or use the credentials of an editor at a site with wp/v2', {
      option: asOption(name),
    }),
  )
}

const notPossible = ({ calendar }: Reads, { field, value, restriction }: Impossible, label?: FieldLabel) => {
  const wayOut = restriction.wayOut(value)
  const option = label && restriction.fileOption?.(value)
  return refused(
    `${label?.(field) ?? field}: ${restriction.reason(calendar.label, value)}`,
    option ? phrase('{wayOut}; for all rows of the file: {option}', { wayOut, option }) : wayOut,
  )
}

/** A value that a site cannot write, and what to do instead. */
interface Impossible {
  readonly field: string
  readonly value: unknown
  readonly restriction: Restriction
  /** Whether `wp/v2` can write it. */
  readonly patchable: boolean
  /** Whether the site would show something else, whichever API writes the value. */
  readonly shownWrong: boolean
}

/**
 * The values that a site with The Events Calendar cannot write to a record with this status. For new values, also those that its events API
 * would store without a part of them.
 */
function impossibleValues(
  resource: Resource,
  values: Readonly<Record<string, unknown>>,
  { status, isNew = false }: { readonly status: string; readonly isNew?: boolean },
): Impossible[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const restriction = resource.fields[name]?.site?.cannot
    const forbids = restriction?.forbids(value, status) || (isNew && restriction?.needsPatch?.(value))
    if (!restriction || !forbids) return []
    const { everywhere, shownWrong } = restriction
    return [{ field: name, value, restriction, patchable: !everywhere, shownWrong: shownWrong?.(value) ?? false }]
  })
}
