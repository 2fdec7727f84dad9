import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject } from '../contract/resource.ts'
import { isLanguage, type Language } from '../contract/words.ts'
import { Failure } from '../failure.ts'
import { parseBaseUrl } from './base-url.ts'

/** What a folder's `.calctl.json` says of where to talk. */
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
  if (existsSync(path)) return checked(path, folder)
  const above = dirname(folder)
  return above === folder ? {} : readProject(above)
}

function checked(path: string, folder: string): Project {
  const wrong = (what: string, hint = `it may hold: ${keys.join(', ')}`) =>
    new Failure('settings', `${path}: ${what}`, { hint })
  const content = contentOf(path, wrong)
  if (!isObject(content)) throw wrong('expected a JSON object')
  for (const [key, value] of Object.entries(content)) {
    if (!keys.includes(key) && secretKeys.test(key))
      throw wrong(
        `${key}: credentials do not belong into a project file`,
        'keep them in a profile: calctl profiles edit NAME',
      )
    if (!keys.includes(key)) throw wrong(`unknown key "${key}"`)
    if (typeof value !== 'string') throw wrong(`${key}: expected text`)
  }
  const { lang, baseUrl, ...others } = content as Record<string, string>
  if (lang !== undefined && !isLanguage(lang)) throw wrong(`lang: expected ca, en or es, got "${lang}"`)
  if (baseUrl === undefined) return { ...others, ...(lang && { lang }) }
  const read = parseBaseUrl(baseUrl, folder)
  if ('problem' in read) throw wrong(`baseUrl: ${read.problem}`)
  return { ...others, ...(lang && { lang }), ...read }
}

function contentOf(path: string, wrong: (what: string, hint?: string) => Failure): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw wrong((error as Error).message, 'mend it, or take it away')
  }
}
