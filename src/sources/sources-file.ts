import { join } from 'node:path'
import { badSettings, type Failure, usage } from '../base/failure.ts'
import { settingsText } from '../base/fs.ts'
import { nearest } from '../base/text/similarity.ts'
import { phrase } from '../base/words/phrase.ts'
import { events } from '../contract/events.ts'
import { languages } from '../contract/languages.ts'
import { settingMistake } from '../contract/setting-mistakes.ts'
import * as z from '../contract/zod.lib.ts'
import { knownMaps } from '../files/mapped-json.ts'
import { readYamlDocuments, type YamlDocument } from '../files/yaml-values.ts'
import { deciders, fates, newStatuses, type Source, type SourcesFile, sourceKinds } from './source.ts'

const sourcesName = 'sources.yaml'

/** A text of this form; `expected` says which, with an example. */
const textLike = (form: RegExp, expected: () => string) =>
  z.string().check(z.regex(form, { error: () => phrase('expected {expected}', { expected: expected() }) }))

const day = textLike(/^\d{4}-\d\d-\d\d$/, () => phrase('a day such as {example}', { example: '2026-12-31' }))
const texts = z.array(z.string())
const fieldNames = Object.keys(events.fields) as [string, ...string[]]
const selection = z.strictObject({ words: z.optional(texts), from: z.optional(day), until: z.optional(day) })
const textOrNumber = z.union([z.string(), z.number()], { error: () => phrase('expected text or a number') })
const fieldName = z.enum(fieldNames)

const source = z.strictObject({
  name: textLike(/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u, () =>
    phrase('a name of letters, digits, dots, dashes and underscores'),
  ),
  place: textLike(/^(?!\w+:\/\/[^/]*@)(?:(?:https?|webcal):\/\/|(?!\w+:\/\/)).+$/, () =>
    phrase('a path, or an address without credentials such as {example}', { example: 'https://example.org/town.ics' }),
  ),
  kind: z.optional(z.enum(sourceKinds)),
  categories: z.optional(texts),
  tags: z.optional(texts),
  organizer: z.optional(z.string()),
  status: z.optional(z.enum(newStatuses)),
  language: z.optional(z.enum(languages)),
  places: z.optional(z.record(z.string(), textOrNumber)),
  include: z.optional(selection),
  exclude: z.optional(selection),
  fields: z.optional(z.array(fieldName)),
  vanished: z.optional(z.enum(fates)),
  decides: z.optional(z.partialRecord(fieldName, z.enum(deciders))),
  headers: z.optional(
    z.record(
      z.string(),
      textLike(/^env:[A-Za-z_]\w*$/, () => phrase('env:NAME')),
    ),
  ),
  filters: z.optional(z.record(z.string(), textOrNumber)),
  map: z.optional(
    z.union([z.enum(Object.keys(knownMaps)), z.record(z.string(), z.string())], {
      error: () =>
        phrase('expected one of {names}, or fields with their keys', {
          names: Object.keys(knownMaps).join(', '),
        }),
    }),
  ),
})

const file = z.strictObject({ sources: z.array(source) })

/** The JSON Schema of the file, for editors. */
export const sourcesSchema = (): object => z.toJSONSchema(file)

/** The `sources.yaml` of a folder; undefined if there is none. Throws `settings` for a mistake, with its line and column. */
export async function readSourcesFile(folder: string): Promise<SourcesFile | undefined> {
  const path = join(folder, sourcesName)
  const text = settingsText(path)
  return text === undefined ? undefined : { path, text, sources: parseSources(text, path) }
}

/** The sources in the text of a file. */
export function parseSources(text: string, path: string): SourcesFile['sources'] {
  const fail: Fail = (what, place, hint = seeSchema()) =>
    badSettings([path, place, what].filter(part => part !== undefined).join(': '), hint)
  const [document, second] = readYamlDocuments(text, fail)
  if (second) throw fail(phrase('expected one document'), second.placeOf([]))
  if (document === undefined || document.value === null) return []
  const checked = z.safeParse(file, document.value)
  if (!checked.success) throw firstMistake(checked.error.issues, document, fail)
  const { sources } = checked.data
  const names = sources.map(({ name }) => name)
  const repeated = names.findIndex((name, index) => names.indexOf(name) < index)
  if (repeated >= 0)
    throw fail(
      phrase('there are two sources named {name}', { name: names[repeated] ?? '' }),
      document.placeOf(['sources', repeated, 'name']),
      phrase('give one of them another name'),
    )
  return sources as SourcesFile['sources']
}

/** Throws `usage` for a source that was typed and could not be in a file. */
export function checkSource(typed: Source): void {
  const [issue] = z.safeParse(source, typed).error?.issues ?? []
  if (issue) throw usage(`${named(issue.path)}: ${settingMistake(issue)}`, seeSchema())
}

type Fail = (what: string, place?: string, hint?: string) => Failure

const seeSchema = (): string => phrase('see all settings with: calctl sources schema')

type Issues = NonNullable<ReturnType<typeof z.safeParse<typeof file>>['error']>['issues']

/** The failure for the first mistake of a file that was checked. */
function firstMistake([issue]: Issues, document: YamlDocument, fail: Fail): Failure {
  if (!issue) return fail(phrase('not a list of sources'))
  const { path } = issue
  if (issue.code !== 'unrecognized_keys') {
    const isMissing = issue.code === 'invalid_type' && valueAt(document.value, path) === undefined
    const what = isMissing ? phrase('it is missing') : settingMistake(issue)
    return fail([named(path), what].filter(part => part !== '').join(': '), document.placeOf(path))
  }
  const [key = ''] = issue.keys
  const suggestion = nearest(key, knownAt(path))
  return fail(
    settingMistake({ ...issue, keys: [key] }),
    document.placeOf([...path, key], true),
    suggestion && phrase('did you mean {suggestion}?', { suggestion }),
  )
}

/** The names of settings on a path, without the numbers of items. */
const named = (path: readonly PropertyKey[]): string =>
  path.filter(part => typeof part === 'string' && part !== 'sources').join('.') || String(path[0] ?? '')

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key], value)

/** The settings that there are where a path leads. */
function knownAt(path: readonly PropertyKey[]): string[] {
  if (path.length === 0) return Object.keys(file.shape)
  return Object.keys(path.length === 2 ? source.shape : selection.shape)
}
