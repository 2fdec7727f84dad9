import { dirname } from 'node:path'
import { badSettings, type Failure } from '../../base/failure.ts'
import { readSettingsFile } from '../../base/fs.ts'
import { reason } from '../../base/io-reasons.ts'
import { isObject } from '../../base/text/json.ts'
import { listOf } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import { parseBaseUrl } from '../../client/http/request.ts'
import { isLanguage, type Language } from '../../contract/languages.ts'

/** The settings of a folder's `.calctl.json`. */
export interface Project {
  readonly profile?: string
  readonly baseUrl?: string
  readonly lang?: Language
  readonly namespace?: string
  /** The settings of the rules of `calctl lint`, which reads them itself. */
  readonly lint?: unknown
  /** The records that somebody said are not duplicates, which `calctl dedupe` reads itself. */
  readonly distinct?: unknown
  /** Where they are from; absent without a file. */
  readonly source?: ProjectSource
}

/** A project file as it was read. */
export interface ProjectSource {
  readonly path: string
  readonly text: string
}

/** The settings of a project file that choose a calendar. */
export const projectKeys = ['profile', 'baseUrl', 'namespace', 'lang'] as const

export type ProjectKey = (typeof projectKeys)[number]

const textKeys: readonly string[] = projectKeys

const keys = ['profile', 'baseUrl', 'lang', 'namespace', 'lint', 'distinct']

const secretKeys = /user|password|secret|token|header|auth/i

export function readProjectFile(path: string): Project {
  const invalid: Invalid = (what, hint = phrase('it may contain: {keys}', { keys: listOf(keys) })) =>
    badSettings(`${path}: ${what}`, hint)
  const { text, content } = readJson(path, invalid)
  if (!isObject(content)) throw invalid(phrase('expected a JSON object'))
  for (const [key, value] of Object.entries(content)) checkSetting(key, value, invalid)
  const { lint, distinct, ...texts } = content
  const { lang, baseUrl, ...strings } = texts as Record<string, string>
  const others = {
    ...strings,
    ...(lint !== undefined && { lint }),
    ...(distinct !== undefined && { distinct }),
    source: { path, text },
  }
  if (lang !== undefined && !isLanguage(lang))
    throw invalid(phrase('lang: expected ca, en or es, got "{lang}"', { lang }))
  if (baseUrl === undefined) return { ...others, ...(lang && { lang }) }
  const read = parseBaseUrl(baseUrl, dirname(path))
  if ('problem' in read) throw invalid(`baseUrl: ${read.problem}`)
  return { ...others, ...(lang && { lang }), ...read }
}

/** The failure of a project file. */
type Invalid = (what: string, hint?: string) => Failure

function checkSetting(key: string, value: unknown, invalid: Invalid): void {
  if (!keys.includes(key) && secretKeys.test(key))
    throw invalid(
      phrase('{key}: a project file must not contain credentials', { key }),
      phrase('put them into a profile with: calctl profiles edit NAME'),
    )
  if (!keys.includes(key)) throw invalid(phrase('unknown key "{key}"', { key }))
  if (textKeys.includes(key) && typeof value !== 'string') throw invalid(phrase('{key}: expected text', { key }))
}

function readJson(path: string, invalid: Invalid): { text: string; content: unknown } {
  let text: string | undefined
  try {
    text = readSettingsFile(path)
    return { text, content: JSON.parse(text) }
  } catch (error) {
    const what = text === undefined ? reason(error as Error, 'read') : (error as Error).message
    throw invalid(what, phrase('fix it, or remove it'))
  }
}
