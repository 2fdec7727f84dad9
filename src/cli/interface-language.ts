import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject } from '../base/text/json.ts'
import { isAmerican, useDateOrderOf } from '../base/time/typed-order.ts'
import {
  type Catalog,
  type InterfaceLanguage,
  interfaceLanguages,
  phrase,
  pseudoLanguage,
  speak,
} from '../base/words/phrase.ts'
import { builtIn, readConfigUnchecked } from './profiles/config.ts'
import type { World } from './world.ts'

/**
 * Chooses the language of the interface before the command line is read: `--ui`, else `CALCTL_UI`, else the profile, else the locale. For
 * programs that read JSON, sentences stay English unless `--ui` is given. The language also decides how
 * `5/12` is read.
 */
export async function chooseInterfaceLanguage(world: World): Promise<void> {
  const typed = wordAfter(world.args, ['--ui'])
  const isEnglish = typed === undefined && isForPrograms(world.args)
  // The order of dates does not depend on the output.
  const isChosenByProfile = !isEnglish || isAmerican(world.env)
  const chosen =
    known(typed ?? world.env.CALCTL_UI) ?? (isChosenByProfile ? known((await profileIn(world)).ui) : undefined)
  const language = chosen ?? languageOfLocale(world.env)
  useDateOrderOf(world.env, language)
  if (isEnglish) speak('en')
  else speakIn(world, language)
}

/** Whether nothing says which language people here read: neither an option, a variable, a profile nor a locale. */
export const isLanguageUnknown = async (world: World): Promise<boolean> =>
  !isForPrograms(world.args) &&
  (wordAfter(world.args, ['--ui']) ?? world.env.CALCTL_UI ?? (await profileIn(world)).ui) === undefined &&
  /^(|C|POSIX)(\.|$)/i.test(localeIn(world.env))

/**
 * How to have calctl in Catalan or Spanish, in these languages, where nothing says which language people here read; if only `--ui` says it,
 * how to keep it. A line, or nothing.
 */
export async function languageNote(world: World): Promise<string> {
  if (await isLanguageUnknown(world)) return 'Català: calctl --ui ca · Castellano: calctl --ui es\n'
  const typed = known(wordAfter(world.args, ['--ui']))
  const { name, ui } = await profileIn(world)
  if (typed === undefined || typed === ui) return ''
  const command = `calctl profiles edit ${name} --ui ${typed}`
  return `${phrase('To keep this language: {command}', { command })}\n`
}

type Spoken = InterfaceLanguage | typeof pseudoLanguage

const known = (name: string | undefined): Spoken | undefined =>
  ([...interfaceLanguages, pseudoLanguage] as const).find(language => language === name?.toLowerCase())

/** The value of an option, anywhere on the command line; commander reads it again, and refuses a wrong one. */
function wordAfter(args: readonly string[], names: readonly string[]): string | undefined {
  const index = args.findLastIndex(word => names.some(name => word === name || word.startsWith(`${name}=`)))
  const word = args[index]
  if (index < 0) return undefined
  return word === undefined || names.includes(word) ? args[index + 1] : word.slice(word.indexOf('=') + 1)
}

/** The name and the language of the profile in use. */
export async function profileIn(world: World): Promise<{ name: string; ui?: string | undefined }> {
  const named = wordAfter(world.args, ['--profile', '-p']) ?? world.env.CALCTL_PROFILE
  try {
    const { current = builtIn, profiles } = await readConfigUnchecked(world)
    return { name: named ?? current, ui: profiles[named ?? current]?.ui }
  } catch {
    // A damaged configuration is reported by the command that needs it.
    return { name: named ?? builtIn }
  }
}

const formsForPrograms = new Set(['json', 'ndjson', 'yaml'])

const isForPrograms = (args: readonly string[]): boolean =>
  args.includes('--json') ||
  wordAfter(args, ['--jq']) !== undefined ||
  formsForPrograms.has(wordAfter(args, ['--output', '-o']) ?? '')

/** The language of `ca_ES.UTF-8`: the first variable that is set decides, and an unknown language means English. */
export function languageOfLocale(env: World['env']): InterfaceLanguage {
  const locale = localeIn(env)
  return interfaceLanguages.find(language => new RegExp(`^${language}\\b|^${language}_`, 'i').test(locale)) ?? 'en'
}

const localeIn = ({ LC_ALL, LC_MESSAGES, LANG }: World['env']): string => LC_ALL || LC_MESSAGES || LANG || ''

export function speakIn(world: World, language: Spoken): void {
  speak(language)
  if (language === 'en' || language === pseudoLanguage) return
  try {
    speak(language, readCatalog(language))
  } catch {
    speak('en')
    void world.stderr.write(`cannot read the messages in "${language}": reinstall calctl\n`)
  }
}

/** The catalogs are next to the bundle and, in the sources, next to `phrase.ts`. Throws for a file that is not a catalog. */
function readCatalog(language: InterfaceLanguage): Catalog {
  const folder = dirname(import.meta.filename)
  const file = join(folder, folder.endsWith('cli') ? '../base/words' : 'words', `${language}.json`)
  const catalog: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!isObject(catalog)) throw new TypeError('not a catalog')
  return catalog as Catalog
}
