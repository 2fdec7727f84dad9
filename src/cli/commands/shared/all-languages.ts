import { usage } from '../../../base/failure.ts'
import { asOption, listOf } from '../../../base/text/sentence-parts.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { TextsByLanguage, TranslatedLines } from '../../../care/translations/change-in-languages.ts'
import type { RefLine } from '../../../changes/plan/making/from-refs.ts'
import type { Change } from '../../../client/change.ts'
import type { Client, Values } from '../../../client/client.ts'
import type { Language } from '../../../contract/languages.ts'
import { quoted, type Resource } from '../../../contract/resource.ts'
import { languageName } from '../../../contract/resource-words.ts'
import type { App } from '../../app.ts'
import { type TranslationOptions, textFlag } from './language-options.ts'

/** The named records, with the translations that are to be written, too. */
export async function linesInLanguages(
  client: Client,
  { resource, lines, trashed = false, texts = new Map(), changesNamed = true }: LinesToTranslate,
  options: TranslationOptions,
): Promise<LinesInLanguages> {
  if (!options.allLanguages && texts.size === 0) return { lines, notes: [] }
  const { requireLanguages } = await import('../../../client/languages/known-languages.ts')
  const { SetReader } = await import('../../../care/translations/read-sets.ts')
  const { withTranslations } = await import('../../../care/translations/change-in-languages.ts')
  const { own, all } = await requireLanguages(client, options.allLanguages ? '--all-languages' : textFlag(texts))
  for (const language of texts.keys()) if (!all.includes(language)) throw noSuchLanguage(client, language, all)
  const sets = new SetReader({ client, match: options.match })
  const wanted = options.allLanguages ? all : all.filter(language => texts.has(language))
  const found = await withTranslations({ resource, own, all: wanted, lines, trashed, sets })
  const isTranslation = ({ language = own }: RefLine) => language !== own
  const writesNamed = options.allLanguages || changesNamed || texts.has(own)
  return {
    ...found,
    lines: writesNamed ? found.lines : found.lines.filter(line => !line.record || isTranslation(line)),
    isInLanguages: true,
    async changeIn(change) {
      const { changeInLanguages } = await import('../../../care/translations/change-in-languages.ts')
      const sharesFacts = options.allLanguages === true
      const changes = await changeInLanguages({ client, resource, own, change, texts, sharesFacts, sets }, wanted)
      return language => changes.get(language ?? own) ?? { values: {} }
    },
    async notesOn({ values }) {
      const { isInWords } = await import('../../../care/translations/change-in-languages.ts')
      const others = found.lines.filter(isTranslation)
      const [first] = others
      const isLeft = ([name, value]: [string, unknown]) => isInWords(resource.fields[name]?.acrossLanguages, value)
      return Object.entries(first ? values : {})
        .filter(isLeft)
        .map(([name, value]) =>
          phrase('{text} is written only in {language}, not in {others}; to write it there: {command}', {
            text: quoted(String(value)),
            language: languageName(own),
            others: listOf([...new Set(others.map(({ language = own }) => languageName(language)))]),
            command: `calctl ${resource.name} update ${first?.record?.id} --lang ${first?.language} ${asOption(name)} TEXT`,
          }),
        )
    },
  }
}

/** The change for the records of a language; undefined means the language of the client. */
type ChangeOf = (language: Language | undefined) => Change

/** Records to write, with their translations if these are to be written, too. */
export interface LinesInLanguages extends TranslatedLines {
  readonly isInLanguages?: true
  changeIn?(change: Change): Promise<ChangeOf>
  /** Says which words the translations do not get. */
  notesOn?(change: Change): Promise<string[]>
}

export interface LinesToTranslate {
  readonly resource: Resource
  readonly lines: readonly RefLine[]
  readonly trashed?: boolean
  readonly texts?: TextsByLanguage
  /** Whether the named records are changed, and not only texts in other languages. */
  readonly changesNamed?: boolean
}

const noSuchLanguage = ({ calendar }: Client, language: Language, all: readonly Language[]) =>
  usage(
    phrase('{label} has no records in {language}', { label: calendar.label, language }),
    phrase('use one of {list}', { list: listOf(all, 'or') }),
  )

/** The client for a command that reads: with `--lang all`, its lists have the records of all languages. */
export async function clientToRead(app: App): Promise<Client> {
  const client = await app.client()
  if (app.globals.lang !== 'all') return client
  return (await import('../../../client/languages/routing.ts')).inAllLanguages(client)
}

/** The languages to read: undefined for the client's own, or with `--lang all` each of them. */
export async function eachLanguage(
  { globals }: App,
  client: Client,
  wantsAll = globals.lang === 'all',
): Promise<readonly (Language | undefined)[]> {
  const { languagesToRead } = await import('../../../client/languages/known-languages.ts')
  const all = wantsAll ? await languagesToRead(client) : []
  return all.length > 0 ? all : [undefined]
}

/** The shape of printed records: with `--lang all`, it includes their language. */
export const shapeToRead = ({ globals }: App, resource: Resource): Resource =>
  globals.lang === 'all' ? { ...resource, columns: ['id', 'lang_code', ...resource.columns.slice(1)] } : resource

/** Throws `usage` for filters by records together with `--lang all`, because these are records of one language. */
export function checkFiltersOfAll({ globals }: App, resource: Resource, filters: Values): void {
  const name = globals.lang === 'all' && Object.keys(filters).find(name => resource.filters[name]?.of)
  if (!name) return
  const { of = '' } = resource.filters[name] ?? {}
  const condition = name === 'venue' ? 'venue.city=Girona' : 'title~jazz'
  throw usage(
    phrase('{option} names {resource} of one language, and --lang all lists all of them', {
      option: asOption(name),
      resource: of,
    }),
    phrase("choose a language, or use --where, for example: --where '{condition}'", { condition }),
  )
}
