import { Readable } from 'node:stream'
import { asFailure, conflict, Failure, missing, refused } from '../../base/failure.ts'
import { decodeEntities } from '../../base/text/escaping.ts'
import { isObject } from '../../base/text/json.ts'
import { listOf } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { BuildContext } from '../../changes/plan/making/context.ts'
import { planFromRecords } from '../../changes/plan/making/from-files.ts'
import type { Invalid } from '../../changes/plan/plan.ts'
import { isBlanked } from '../../client/adapters/secret-values.ts'
import type { Client } from '../../client/client.ts'
import { type CreatesMissing, createsMissing } from '../../client/name-lookup.ts'
import { resourceNamed, resources } from '../../contract/contract.ts'
import { type Field, hiddenSecret } from '../../contract/field.ts'
import type { Language } from '../../contract/languages.ts'
import { type Answer, type Resource, writableFields } from '../../contract/resource.ts'
import { languageName, namedRecord } from '../../contract/resource-words.ts'
import { writableRecord } from '../../files/export/export-records.ts'
import type { FileRecord } from '../../files/records/file-record.ts'
import { copyCommand, linkedName, type SetReader } from './read-sets.ts'
import type { TranslationSet } from './sets.ts'

/** What is copied. */
interface CopySource {
  readonly from: Language
  /** The records to copy, by resource; those that have a translation are left out. */
  readonly records: ReadonlyMap<Resource, readonly Answer[]>
  /** Whether venues, organizers and terms to which a copy links are copied, too. */
  readonly createMissing: CreatesMissing
  readonly sets: SetReader
}

/** What to copy into which languages. */
export interface CopyRequest extends CopySource {
  readonly to: readonly Language[]
}

/** A translation that exists, so that its record is not copied. */
export interface ExistingTranslation extends WantedCopy {
  readonly id: number
}

/**
 * Makes the plan that gives records translations in other languages: drafts with the same facts and texts, which link to the translations
 * of linked records. It is built like the plan of a file with these records, so that records which it creates together are linked and
 * ordered.
 */
export async function planCopies(context: BuildContext, request: CopyRequest) {
  const invalid: Invalid[] = []
  const existing: ExistingTranslation[] = []
  const copier = new RecordCopier(context.client, request)
  for (const resource of resources) {
    const records = request.records.get(resource) ?? []
    const sets = await request.sets.setsOf({ resource, language: request.from, records })
    await copier.read(
      resource,
      records.filter(({ id }) => request.to.some(language => !sets.get(id)?.records.has(language))),
    )
    for (const record of records)
      for (const language of request.to) {
        const wanted = { resource, record, language }
        const id = sets.get(record.id)?.records.get(language)?.id
        if (id !== undefined) existing.push({ ...wanted, id })
        else invalid.push(...(await copier.tryCopy(wanted, sets.get(record.id))))
      }
  }
  const plan = await planFromRecords(Readable.from(copier.copies.values()), context)
  return { plan: { ...plan, invalid: [...invalid, ...plan.invalid] }, existing }
}

/** A record, and the language of its copy. */
export interface WantedCopy {
  readonly resource: Resource
  readonly record: Answer
  readonly language: Language
}

/** The key of a copy among those of a copier. */
export const copyKey = ({ resource, record, language }: WantedCopy): string =>
  `${resource.name} ${record.id} ${language}`

/** Copies records and, with --create-missing, the records to which they link, each once. */
export class RecordCopier {
  readonly copies = new Map<string, FileRecord>()
  /** The records to copy, with their stored texts. */
  private readonly whole = new Map<Answer, Answer>()
  private readonly begun = new Set<string>()
  /** Why a record cannot be copied, which also concerns records that link to it. */
  private readonly failures = new Map<string, Failure>()

  constructor(
    private readonly client: Client,
    private readonly request: CopySource,
  ) {}

  async read(resource: Resource, records: readonly Answer[]): Promise<void> {
    const { sets, from } = this.request
    const unread = records.filter(record => !this.whole.has(record))
    const names = Object.keys(resource.fields)
    const stored = await sets.reader.withRawValues({ resource, language: from }, unread, names)
    for (const [index, record] of unread.entries()) this.whole.set(record, stored[index] ?? record)
  }

  /** Copies a record; returns what is invalid. */
  async tryCopy(wanted: WantedCopy, set: TranslationSet | undefined): Promise<Invalid[]> {
    const { resource, language } = wanted
    try {
      const rivals = rivalsIn(set, language)
      if (rivals.length > 0)
        throw this.undecided(phrase('its translation may be {record}', rivalPlaces(resource, rivals)), resource, rivals)
      await this.add(wanted)
      return []
    } catch (error) {
      return [invalidCopy(wanted, asFailure(error))]
    }
  }

  private async add(wanted: WantedCopy): Promise<void> {
    const key = copyKey(wanted)
    const failure = this.failures.get(key)
    if (failure) throw failure
    if (this.begun.has(key)) return
    this.begun.add(key)
    try {
      this.copies.set(key, await this.copyOf(wanted))
    } catch (error) {
      this.failures.set(key, asFailure(error))
      throw error
    }
  }

  private async copyOf({ resource, record: trimmed, language }: WantedCopy): Promise<FileRecord> {
    const { from } = this.request
    await this.read(resource, [trimmed])
    const record = this.whole.get(trimmed) ?? trimmed
    if (isBlanked(resource, record))
      throw refused(
        phrase('{record} has a password, and its texts are not shown', {
          record: namedRecord(resource.name, record.id),
        }),
        phrase('use the credentials of an editor'),
      )
    const values: Record<string, unknown> = {}
    const written = writableRecord(resource, record).values
    for (const [name, field] of writableFields(resource)) {
      if (field.acrossLanguages === 'own' || field.acrossLanguages === 'words') continue
      const value = field.of
        ? await this.linksIn(field, record[name], language)
        : copiedValue(field, record[name], written[name])
      if (isWorthCopying(field, value)) values[name] = value
    }
    return {
      resource: resource.name,
      action: 'create',
      lang_code: language,
      values: resource.fields.status ? { ...values, status: 'draft' } : values,
      cleared: [],
      mistakes: [],
      place: phrase('{language}, from {from} {id}', {
        language: languageName(language),
        from: languageName(from),
        id: record.id,
      }),
      copyOf: { id: record.id, lang_code: from },
    }
  }

  private async linksIn(field: Field, value: unknown, language: Language): Promise<unknown> {
    if (!field.of) return undefined
    const linked = resourceNamed(field.of)
    const ids = [value].flat().map(one => Number(isObject(one) ? one.id : one))
    const links: (number | string)[] = []
    for (const id of ids) if (id > 0) links.push(await this.linkTo(linked, id, language))
    const isSingle = field.multiple === false || field.kind.shape === 'number'
    return links.length === 0 ? undefined : isSingle ? links[0] : links
  }

  /** The translation of a linked record; one that the same plan creates is named by slug. */
  private async linkTo(linked: Resource, id: number, language: Language): Promise<number | string> {
    const { sets, from, records, createMissing } = this.request
    const set = await sets.linkedSet(linked.name, id, from)
    const translation = set?.records.get(language)
    if (translation) return translation.id
    const rivals = rivalsIn(set, language)
    if (rivals.length > 0)
      throw this.undecided(
        phrase('the translation of {linked} may be {record}', {
          linked: linkedName(this.client, linked, id),
          ...rivalPlaces(linked, rivals),
        }),
        linked,
        rivals,
      )
    const known = records.get(linked)?.find(record => record.id === id)
    if (!known && !createsMissing(createMissing, linked.name)) throw untranslatedLink(this.client, linked, id, language)
    const record = known ?? set?.records.get(from)
    if (!record)
      throw new Failure(
        'missing',
        phrase('{record} does not exist in {language}', {
          record: namedRecord(linked.name, id),
          language: languageName(from),
        }),
      )
    await this.add({ resource: linked, record, language })
    const { slug } = record
    return typeof slug === 'string' && slug !== '' ? slug : decodeEntities(String(record[linked.title]))
  }

  private undecided(message: string, { name }: Resource, rivals: readonly Answer[]): Failure {
    const { flags = '' } = this.client.calendar
    const [first] = rivals
    const command = `calctl ${name} update ${first?.id} --lang ${first?.lang_code} --slug SLUG${flags}`
    return conflict(message, phrase('if it is, give it the same slug: {command}', { command }))
  }
}

/** Images belong to all languages of a site. */
function copiedValue({ kind }: Field, shown: unknown, written: unknown): unknown {
  if (kind.shape !== 'picture') return written
  return isObject(shown) && shown.id !== undefined ? String(shown.id) : undefined
}

/** Whether a new record would not have this value anyway. */
const isWorthCopying = ({ kind, initial = false }: Field, value: unknown): boolean =>
  value !== undefined && value !== hiddenSecret && !(kind.shape === 'flag' && value === initial)

const invalidCopy = (
  { resource: { name }, record: { id }, language }: WantedCopy,
  { message, details }: Failure,
): Invalid => ({
  at: phrase('{record} in {language}', { record: namedRecord(name, id), language: languageName(language) }),
  message,
  ...(details.hint && { hint: details.hint }),
  resource: name,
})

const untranslatedLink = (client: Client, linked: Resource, id: number, to: Language) =>
  missing(
    phrase('{record} has no translation in {language}', {
      record: linkedName(client, linked, id),
      language: languageName(to),
    }),
    phrase('copy it too with --create-missing, or alone with: {command}', {
      command: copyCommand(client, linked, id, to),
    }),
  )

const rivalPlaces = ({ name }: Resource, rivals: readonly Answer[]) => {
  const ids = rivals.map(({ id }) => String(id))
  return { record: namedRecord(name, listOf(ids, 'or')) }
}

/** Records in a language that may be the translation. */
const rivalsIn = (set: TranslationSet | undefined, language: Language): Answer[] =>
  (set?.rivals ?? []).filter(({ lang_code }) => lang_code === language)
