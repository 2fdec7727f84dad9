import type { Client } from '../../client/client.ts'
import { knownLanguages } from '../../client/known-languages.ts'
import { documentedNamespace } from '../../contract/contract.ts'
import { isLanguage, type Language, languages } from '../../contract/languages.ts'
import { Failure } from '../../failure.ts'
import { listOf } from '../../text/words.ts'

interface ChoiceOptions {
  readonly from?: string
  readonly to?: readonly string[] | undefined
  /** The option that names the languages to translate into. */
  readonly toFlag?: string
}

/**
 * The languages of a translation: from which one, by default that of the calendar, and into which ones, by default all others. Throws
 * `usage` for one that the calendar cannot have.
 */
export async function chosenLanguages(
  client: Client,
  options: ChoiceOptions,
): Promise<{ from: Language; to: Language[] }> {
  const { toFlag = '--to' } = options
  const { own, all } = await knownLanguages(client)
  // The API as it is documented takes any language; elsewhere a plugin decides which ones there are.
  const possible: readonly Language[] = client.namespace === documentedNamespace ? languages : all
  const check = (flag: string, name: string): Language => {
    if (isLanguage(name) && possible.includes(name)) return name
    throw new Failure('usage', `${flag}: ${client.calendar.label} has no language "${name}"`, {
      hint:
        isLanguage(name) && client.calendar.baseUrl !== undefined
          ? `if it has, say where with: calctl profiles edit NAME --base-url-for ${name}=URL`
          : `use one of ${listOf(possible.length > 0 ? possible : languages, 'or')}`,
    })
  }
  const from = options.from === undefined ? own : check('--from', options.from)
  if (from === undefined)
    throw new Failure('usage', `${client.calendar.label} does not say which language its records are in`, {
      hint: `add: --from ${languages.join('|')}`,
    })
  const targets = options.to ?? (all.length > 1 ? all : possible).filter(language => language !== from)
  const to = [...new Set(targets)].map(name => check(toFlag, name))
  if (to.includes(from))
    throw new Failure('usage', `${toFlag}: ${from} is the language of the originals`, {
      hint: 'leave it out, or choose originals in another language',
    })
  if (to.length === 0)
    throw new Failure('usage', `${client.calendar.label} has records in one language only, ${from}`, {
      hint: `add: ${toFlag} LANGUAGE`,
    })
  return { from, to }
}
