import { missing } from '../../base/failure.ts'
import { groupedWithKey } from '../../base/groups.ts'
import { listOf } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import { type RefLine, readNamedRecords } from '../../changes/plan/making/from-refs.ts'
import { batches } from '../../changes/plan/spool.ts'
import type { Change } from '../../client/change.ts'
import type { Client, Values } from '../../client/client.ts'
import { createNameSearch } from '../../client/find/name-search.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Field } from '../../contract/field.ts'
import { type Language, languages } from '../../contract/languages.ts'
import { type Answer, quoted, type Resource } from '../../contract/resource.ts'
import { languageName, recordCount } from '../../contract/resource-words.ts'
import { copyCommand, linkedName, otherRecords, type SetReader } from './read-sets.ts'
import type { TranslationSet } from './sets.ts'

/** Texts by language, as `--title.es` gives them. */
export type TextsByLanguage = ReadonlyMap<Language, Values>

/** A change of records in one language that also applies to their translations. */
export interface SharedChange {
  readonly client: Client
  readonly resource: Resource
  /** The language of the records that were named or selected. */
  readonly own: Language
  readonly change: Change
  readonly texts: TextsByLanguage
  /** Whether the translations get the facts. */
  readonly sharesFacts: boolean
  readonly sets: SetReader
}

/**
 * The change for each language: the facts in all of them, with links to the translations of linked records, and the texts of that language.
 * Names of linked records are in the language of the named records.
 */
export async function changeInLanguages(shared: SharedChange, languages: readonly Language[]) {
  const { own, change, texts, sharesFacts } = shared
  const changes = new Map<Language, Change>([[own, { ...change, values: { ...change.values, ...texts.get(own) } }]])
  const resolve = createLinkTranslator(shared)
  for (const language of languages) {
    if (language === own) continue
    const ownTexts = texts.get(language) ?? {}
    if (!sharesFacts) changes.set(language, { values: ownTexts })
    else
      changes.set(language, {
        ...change,
        values: { ...(await resolve(factsIn(shared.resource, change.values), language)), ...ownTexts },
        add: await resolve(change.add ?? {}, language),
        remove: await resolve(change.remove ?? {}, language),
      })
  }
  return changes
}

/** The values that all languages share, and that were given by hand for each record, without passwords of records. */
const factsIn = ({ fields }: Resource, values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => {
      const { acrossLanguages, queryOnly } = fields[name] ?? {}
      return acrossLanguages !== 'text' && !queryOnly && !isInWords(acrossLanguages, value)
    }),
  )

/** Whether a value is written in the language of a record, and says nothing to readers of another one. */
export const isInWords = (acrossLanguages: Field['acrossLanguages'], value: unknown): boolean =>
  acrossLanguages === 'words' && value !== ''

/** Replaces links to records of the own language by links to their translations; throws `missing` for one that has none. */
function createLinkTranslator({ client, resource, own, sets }: SharedChange) {
  const names = createNameSearch(client)

  const idOf = async (linked: Resource, link: unknown): Promise<number | undefined> => {
    if (typeof link === 'number' || /^\d+$/.test(String(link))) return Number(link)
    if (typeof link !== 'string' || link === '') return undefined
    const [record, ...others] = await names.find(linked, link)
    return record && others.length === 0 ? record.id : undefined
  }

  /** An unknown name stays as it is: with --create-missing, each language gets a record with that name. */
  const translate = async (field: Field | undefined, link: unknown, to: Language): Promise<unknown> => {
    if (!field?.of || link === null || link === '') return link
    if (Array.isArray(link)) {
      const links: unknown[] = []
      for (const one of link) links.push(await translate(field, one, to))
      return links
    }
    const linked = resourceNamed(field.of)
    const id = await idOf(linked, link)
    if (id === undefined || id === 0) return link
    const record = (await sets.linkedSet(field.of, id, own))?.records.get(to)
    if (record) return record.id
    throw missing(
      phrase('{record} has no translation in {language}', {
        record: linkedName(client, linked, id),
        language: languageName(to),
      }),
      phrase('make one with: {command}', { command: copyCommand(client, linked, id, to) }),
    )
  }

  return async (values: Values, to: Language): Promise<Values> => {
    const translated: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(values))
      translated[name] = await translate(resource.fields[name], value, to)
    return translated
  }
}

interface NamedLines {
  readonly resource: Resource
  /** The language of requests without a `lang_code`. */
  readonly own: Language
  /** All languages to write. */
  readonly all: readonly Language[]
  readonly lines: readonly RefLine[]
  readonly trashed: boolean
  readonly sets: SetReader
}

/** Named records and their translations, each once. */
export interface TranslatedLines {
  readonly lines: readonly RefLine[]
  /** Notes about sets that are incomplete or uncertain. */
  readonly notes: readonly string[]
}

/** Adds translations to the records that lines name. Lines whose records cannot be found stay as they are. */
export async function withTranslations(request: NamedLines): Promise<TranslatedLines> {
  const { resource, own, lines, trashed, sets } = request
  const found = new FoundTranslations(request)
  for (const [language, ofLanguage] of groupedWithKey(lines, ({ language = own }) => language)) {
    const scope = { resource, language: language === own ? undefined : language, trashed }
    for (const batch of batches(ofLanguage)) {
      const find = await readNamedRecords(sets.reader, scope, batch, batch.length)
      const records = batch.flatMap(line => found.addNamed(line, language, find(line.ref)) ?? [])
      const setOf = await sets.setsOf({ resource, language, records, trashed })
      for (const record of records) {
        const set = setOf.get(record.id)
        if (set) found.addTranslations(record, language, set)
      }
    }
  }
  return found.lines()
}

/** Collects named records and their translations, each once, and what the sets lack. */
class FoundTranslations {
  private readonly named: RefLine[] = []
  private readonly added: RefLine[] = []
  private readonly seen = new Set<string>()
  private readonly missing = new Map<Language, number>()
  private readonly uncertain: string[] = []

  constructor(private readonly request: Pick<NamedLines, 'resource' | 'all'>) {}

  addNamed(line: RefLine, language: Language, record: Answer | undefined): Answer | undefined {
    if (!record) this.named.push(line)
    else if (this.isNew(language, record)) this.named.push({ ...line, record })
    return record
  }

  addTranslations(record: Answer, language: Language, set: TranslationSet): void {
    const { resource, all } = this.request
    for (const [other, translation] of otherRecords(set, language))
      if (all.includes(other) && this.isNew(other, translation))
        this.added.push({ ref: { id: translation.id }, language: other, record: translation })
    for (const other of all) if (!set.records.has(other)) this.missing.set(other, (this.missing.get(other) ?? 0) + 1)
    if (set.rivals.length > 0) this.uncertain.push(uncertainty(resource, record, set.rivals))
  }

  lines(): TranslatedLines {
    const { name } = this.request.resource
    const gaps = languages.flatMap(language => {
      const count = this.missing.get(language)
      return count
        ? [phrase('{records} in {language}', { records: recordCount(count, name), language: languageName(language) })]
        : []
    })
    const gapNotes = gaps.length > 0 ? [phrase('no translation of {records}', { records: listOf(gaps) })] : []
    return { lines: [...this.named, ...this.added], notes: [...gapNotes, ...this.uncertain] }
  }

  private isNew(language: Language, { id }: Answer): boolean {
    const key = `${language} ${id}`
    return !this.seen.has(key) && Boolean(this.seen.add(key))
  }
}

/** `"Jazz" (57) could be translated by 91 or 92: neither was changed` */
function uncertainty(resource: Resource, record: Answer, rivals: readonly Answer[]): string {
  const name = quoted(String(record[resourceNamed(resource.name).title] ?? ''))
  const ids = rivals.map(({ id }) => String(id))
  return phrase('not sure which of {ids} translates {record}: left as they are', {
    ids: listOf(ids, 'or'),
    record: `${name} (${record.id})`,
  })
}
