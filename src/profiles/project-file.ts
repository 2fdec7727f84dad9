import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isLanguage, type Language } from '../contract/languages.ts'
import { Failure } from '../failure.ts'
import { readSettingsFile, reason } from '../fs.ts'
import { isObject } from '../text/json.ts'
import { listOf } from '../text/words.ts'
import { parseBaseUrl } from './base-url.ts'

/** The settings of a folder's `.calctl.json`. */
export interface Project {
  readonly profile?: string
  readonly baseUrl?: string
  readonly lang?: Language
  readonly namespace?: string
  /** The settings of the rules of `calctl lint`, which reads them itself. */
  readonly lint?: unknown
  /** The records that somebody said are no duplicates, which `calctl dedupe` reads itself. */
  readonly distinct?: unknown
  /** Where they are from; absent without a file. */
  readonly source?: ProjectSource
}

/** A project file as it was read. */
export interface ProjectSource {
  readonly path: string
  readonly text: string
}

const textKeys = ['profile', 'baseUrl', 'lang', 'namespace']
const keys = [...textKeys, 'lint', 'distinct']
const secretKeys = /user|password|secret|token|header|auth/i

/** The path of `.calctl.json` in this folder or the nearest above that has one. */
export function findProjectFile(folder: string): string | undefined {
  const path = join(folder, '.calctl.json')
  if (existsSync(path)) return path
  const above = dirname(folder)
  return above === folder ? undefined : findProjectFile(above)
}

/** Reads the settings of this folder's project; none without a file. */
export function readProject(folder: string): Project {
  const path = findProjectFile(folder)
  return path === undefined ? {} : readProjectFile(path)
}

function readProjectFile(path: string): Project {
  const invalid = (what: string, hint = `it may contain: ${listOf(keys)}`) =>
    new Failure('settings', `${path}: ${what}`, { hint })
  const text = readText(path, invalid)
  const content = parseJson(text, invalid)
  if (!isObject(content)) throw invalid('expected a JSON object')
  for (const [key, value] of Object.entries(content)) {
    if (!keys.includes(key) && secretKeys.test(key))
      throw invalid(
        `${key}: a project file must not contain credentials`,
        'put them into a profile with: calctl profiles edit NAME',
      )
    if (!keys.includes(key)) throw invalid(`unknown key "${key}"`)
    if (textKeys.includes(key) && typeof value !== 'string') throw invalid(`${key}: expected text`)
  }
  const { lint, distinct, ...texts } = content
  const { lang, baseUrl, ...strings } = texts as Record<string, string>
  const others = {
    ...strings,
    ...(lint !== undefined && { lint }),
    ...(distinct !== undefined && { distinct }),
    source: { path, text },
  }
  if (lang !== undefined && !isLanguage(lang)) throw invalid(`lang: expected ca, en or es, got "${lang}"`)
  if (baseUrl === undefined) return { ...others, ...(lang && { lang }) }
  const read = parseBaseUrl(baseUrl, dirname(path))
  if ('problem' in read) throw invalid(`baseUrl: ${read.problem}`)
  return { ...others, ...(lang && { lang }), ...read }
}

type Invalid = (what: string, hint?: string) => Failure

function readText(path: string, invalid: Invalid): string {
  try {
    return readSettingsFile(path)
  } catch (error) {
    throw invalid(reason(error as Error, 'read'), 'fix it, or remove it')
  }
}

function parseJson(text: string, invalid: Invalid): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid((error as Error).message, 'fix it, or remove it')
  }
}
