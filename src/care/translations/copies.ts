import { Failure } from '../../base/failure.ts'
import { decodeEntities } from '../../base/text/escaping.ts'
import { isObject } from '../../base/text/json.ts'
import type { BuildContext } from '../../changes/plan/build/context.ts'
import { planFromRecords } from '../../changes/plan/build/from-files.ts'
import type { Invalid, Plan } from '../../changes/plan/plan.ts'
import { isBlanked } from '../../client/adapters/secret-values.ts'
import type { Client } from '../../client/client.ts'
import { resourceNamed, resources } from '../../contract/contract.ts'
import { type Field, hiddenSecret } from '../../contract/field.ts'
import type { Language } from '../../contract/languages.ts'
import { type Answer, type Resource, writableFields } from '../../contract/resource.ts'
import { writableRecord } from '../../files/export/export-records.ts'
import type { FileRecord } from '../../files/records/file-record.ts'
import { linkedName, type SetReader } from './read-sets.ts'
import type { TranslationSet } from './translation-set.ts'

/** What is copied into which languages. */
export interface CopyRequest {
  readonly from: Language
  readonly to: readonly Language[]
  /** The records to copy, by their resource; those that have a translation are left out. */
  readonly records: ReadonlyMap<Resource, readonly Answer[]>
  /** Whether venues, organizers and terms that a copy links to are copied as well. */
  readonly createMissing: boolean
  readonly sets: SetReader
}

/** A translation that exists, so that its record is not copied. */
export interface ExistingTranslation {
  readonly resource: Resource
  readonly record: Answer
  readonly language: Language
  readonly id: number
}

/**
 * The plan that gives records a translation in other languages: drafts with the same facts and texts, which link to the translations of
 * what the originals link to. It is the plan of a file with these records, so that what it creates together is linked and ordered.
 */
export async function planCopies(
  context: BuildContext,
  request: CopyRequest,
): Promise<{ plan: Plan; existing: ExistingTranslation[] }> {
  const copies = new Map<string, FileRecord>()
  const invalid: Invalid[] = []
  const existing: ExistingTranslation[] = []
  const copier = createCopier(context, request, copies)
  for (const resource of resources) {
    const records = request.records.get(resource) ?? []
    const sets = await request.sets.setsOf({ resource, language: request.from, records })
    await copier.read(
      resource,
      records.filter(({ id }) => request.to.some(language => !sets.get(id)?.records.has(language))),
    )
    for (const record of records)
      for (const language of request.to) {
        const set = sets.get(record.id)
        const translation = set?.records.get(language)
        if (translation) existing.push({ resource, record, language, id: translation.id })
        else
          try {
            const rivals = rivalsIn(set, language)
            if (rivals.length > 0) throw undecided(context.client, resource, undefined, language, rivals)
            await copier.add(resource, record, language)
          } catch (error) {
            if (!(error instanceof Failure)) throw error
            invalid.push(invalidCopy(resource, record, language, error))
          }
      }
  }
  const plan = await planFromRecords(asyncIterable(copies.values()), context)
  return { plan: { ...plan, invalid: [...invalid, ...plan.invalid] }, existing }
}

async function* asyncIterable<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items
}

function createCopier({ client }: BuildContext, request: CopyRequest, copies: Map<string, FileRecord>) {
  const { from, sets, createMissing } = request
  const keyOf = (resource: Resource, id: number, to: Language) => `${resource.name} ${id} ${to}`
  /** The records that are to be copied, with what is stored of their texts. */
  const whole = new Map<Answer, Answer>()
  const read = async (resource: Resource, records: readonly Answer[]): Promise<void> => {
    const unread = records.filter(record => !whole.has(record))
    const names = Object.keys(resource.fields)
    const stored = await sets.reader.withRawValues({ resource, language: from }, unread, names)
    for (const [index, record] of unread.entries()) whole.set(record, stored[index] ?? record)
  }
  const begun = new Set<string>()
  /** Why a record cannot be copied, which concerns whatever links to it. */
  const failures = new Map<string, Failure>()
  const chosen = new Map(
    [...request.records].map(([resource, records]) => [resource, new Map(records.map(record => [record.id, record]))]),
  )

  /** The translation of a linked record; one that the same plan creates is named by its slug. */
  const linkTo = async (linked: Resource, id: number, to: Language): Promise<number | string> => {
    const set = await sets.linkedSet(linked.name, id, from)
    const translation = set?.records.get(to)
    if (translation) return translation.id
    const rivals = rivalsIn(set, to)
    if (rivals.length > 0) throw undecided(client, linked, linkedName(client, linked, id), to, rivals)
    const known = chosen.get(linked)?.get(id)
    if (!known && !createMissing) throw untranslatedLink(linked, id, client, to)
    const record = known ?? set?.records.get(from)
    if (!record) throw new Failure('missing', `${linked.singular} ${id} does not exist in ${from}`)
    await add(linked, record, to)
    const { slug } = record
    return typeof slug === 'string' && slug !== '' ? slug : decodeEntities(String(record[linked.title]))
  }

  const linksIn = async (field: Field, value: unknown, to: Language): Promise<unknown> => {
    if (!field.of) return undefined
    const linked = resourceNamed(field.of)
    const ids = [value].flat().map(one => Number(isObject(one) ? one.id : one))
    const links: (number | string)[] = []
    for (const id of ids) if (id > 0) links.push(await linkTo(linked, id, to))
    const isSingle = field.multiple === false || field.kind.shape === 'number'
    return links.length === 0 ? undefined : isSingle ? links[0] : links
  }

  const add = async (resource: Resource, trimmed: Answer, to: Language): Promise<void> => {
    const key = keyOf(resource, trimmed.id, to)
    const failure = failures.get(key)
    if (failure) throw failure
    if (begun.has(key)) return
    begun.add(key)
    try {
      copies.set(key, await copyOf(resource, trimmed, to))
    } catch (error) {
      if (error instanceof Failure) failures.set(key, error)
      throw error
    }
  }

  const copyOf = async (resource: Resource, trimmed: Answer, to: Language): Promise<FileRecord> => {
    await read(resource, [trimmed])
    const record = whole.get(trimmed) ?? trimmed
    if (isBlanked(resource, record))
      throw new Failure('refused', `${resource.singular} ${record.id} has a password, and its texts are not shown`, {
        hint: 'use the credentials of an editor',
      })
    const values: Record<string, unknown> = {}
    const written = writableRecord(resource, record, () => undefined).values
    for (const [name, field] of writableFields(resource)) {
      if (field.acrossLanguages === 'own') continue
      const value = field.of ? await linksIn(field, record[name], to) : copiedValue(name, field, record, written[name])
      if (value !== undefined && value !== hiddenSecret && value !== initialFlag(field)) values[name] = value
    }
    return {
      resource: resource.name,
      action: 'create',
      lang_code: to,
      values: resource.fields.status ? { ...values, status: 'draft' } : values,
      cleared: [],
      mistakes: [],
      place: `${to}, from ${from} ${record.id}`,
      copyOf: { id: record.id, language: from },
    }
  }
  return { add, read }
}

/** The images of a site are for all languages. */
const copiedValue = (name: string, { kind }: Field, record: Answer, written: unknown): unknown =>
  kind.shape === 'picture' ? imageOf(record[name]) : written

/** What a flag of a new record is by itself. */
const initialFlag = ({ kind, initial = false }: Field): boolean | undefined =>
  kind.shape === 'flag' ? initial : undefined

const imageOf = (image: unknown): string | undefined =>
  isObject(image) && image.id !== undefined ? String(image.id) : undefined

const invalidCopy = (
  { name, singular }: Resource,
  { id }: Answer,
  language: Language,
  { message, details }: Failure,
): Invalid => ({
  at: `${singular} ${id} in ${language}`,
  message,
  ...(details.hint && { hint: details.hint }),
  resource: name,
  source: { id, lang_code: language },
})

const untranslatedLink = (linked: Resource, id: number, client: Client, to: Language) =>
  new Failure('missing', `${linkedName(client, linked, id)} has no translation in ${to}`, {
    hint: `copy it too with --create-missing, or alone with: calctl languages copy ${linked.name} ${id} --to ${to}${client.calendar.flags ?? ''}`,
  })

/** Records in a language that may be the translation. */
const rivalsIn = (set: TranslationSet | undefined, language: Language): Answer[] =>
  (set?.rivals ?? []).filter(({ lang_code }) => lang_code === language)

/** `of` names a linked record; without it, the record that is copied is meant. */
const undecided = (
  { calendar: { flags = '' } }: Client,
  { name, singular }: Resource,
  of: string | undefined,
  language: Language,
  rivals: readonly Answer[],
) =>
  new Failure(
    'conflict',
    `${of ? `the translation of ${of}` : 'its translation'} may be ${singular} ${rivals.map(({ id }) => id).join(' or ')}`,
    {
      hint: `if it is, give it the same slug: calctl ${name} update ${rivals[0]?.id} --lang ${language} --slug SLUG${flags}`,
    },
  )
