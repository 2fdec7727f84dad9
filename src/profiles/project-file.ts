import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isLanguage, type Language } from '../contract/languages.ts'
import { isObject } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { listOf } from '../text/words.ts'
import { parseBaseUrl } from './base-url.ts'

/** The settings of a folder's `.calctl.json`. */
export interface Project {
  readonly profile?: string
  readonly baseUrl?: string
  readonly lang?: Language
  readonly namespace?: string
}

const keys = ['profile', 'baseUrl', 'lang', 'namespace']
const secretKeys = /user|password|secret|token|header|auth/i

/** Reads `.calctl.json` from this folder or the nearest above that has one. */
export function readProject(folder: string): Project {
  const path = join(folder, '.calctl.json')
  if (existsSync(path)) return readProjectFile(path, folder)
  const above = dirname(folder)
  return above === folder ? {} : readProject(above)
}

function readProjectFile(path: string, folder: string): Project {
  const invalid = (what: string, hint = `it may contain: ${listOf(keys)}`) =>
    new Failure('settings', `${path}: ${what}`, { hint })
  const content = readJson(path, invalid)
  if (!isObject(content)) throw invalid('expected a JSON object')
  for (const [key, value] of Object.entries(content)) {
    if (!keys.includes(key) && secretKeys.test(key))
      throw invalid(
        `${key}: a project file must not contain credentials`,
        'put them into a profile with: calctl profiles edit NAME',
      )
    if (!keys.includes(key)) throw invalid(`unknown key "${key}"`)
    if (typeof value !== 'string') throw invalid(`${key}: expected text`)
  }
  const { lang, baseUrl, ...others } = content as Record<string, string>
  if (lang !== undefined && !isLanguage(lang)) throw invalid(`lang: expected ca, en or es, got "${lang}"`)
  if (baseUrl === undefined) return { ...others, ...(lang && { lang }) }
  const read = parseBaseUrl(baseUrl, folder)
  if ('problem' in read) throw invalid(`baseUrl: ${read.problem}`)
  return { ...others, ...(lang && { lang }), ...read }
}

function readJson(path: string, invalid: (what: string, hint?: string) => Failure): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw invalid((error as Error).message, 'fix it, or remove it')
  }
}
