import { Failure } from '../../base/failure.ts'
import { listOf } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { isLanguage, type Language, languages } from '../../contract/languages.ts'
import type { Answer } from '../../contract/resource.ts'
import { languageName } from '../../contract/resource-words.ts'
import type { CalendarLanguages, Reads } from '../client.ts'
import { wholeListQuery } from '../find/whole-lists.ts'

/** The languages that calendars answered when they were asked. */
const said = new WeakMap<Reads, Promise<CalendarLanguages>>()

/** The languages of a calendar. If no answer has told yet, asks for one record, once. */
async function knownLanguages(client: Reads): Promise<CalendarLanguages> {
  const known = client.languages()
  if (known.own !== undefined && known.all.length > 0) return known
  const asking = said.get(client) ?? askLanguages(client)
  said.set(client, asking)
  try {
    return await asking
  } catch (error) {
    said.delete(client)
    throw error
  }
}

async function askLanguages(client: Reads): Promise<CalendarLanguages> {
  for (const resource of [resourceNamed('events'), resourceNamed('venues')]) {
    const { records } = await client.list(resource, wholeListQuery({ resource }, { per_page: 1 }))
    const answered = records[0]?.lang_code
    const { own = isLanguage(answered) ? answered : undefined, all } = client.languages()
    if (own === undefined) continue
    // A profile may have only addresses of other languages.
    const isComplete = all.length === 0 || all.includes(own)
    return { own, all: isComplete ? all : languages.filter(language => language === own || all.includes(language)) }
  }
  return client.languages()
}

/**
 * The languages that `--lang all` reads, the calendar's own first; empty if there is only one, and for a site that ignores `lang_code`,
 * which would return the same records for each.
 */
export async function languagesToRead(client: Reads): Promise<readonly Language[]> {
  const { own, all } = await knownLanguages(client)
  const readable = all.length > 1 ? all : client.capabilities.takesAnyLanguage ? languages : []
  return own && readable.includes(own) ? [own, ...readable.filter(language => language !== own)] : readable
}

interface SeveralLanguages {
  readonly own: Language
  readonly all: readonly Language[]
}

/** The languages of a calendar, and its default one; throws `usage` if there is only one. */
export async function requireLanguages(client: Reads, option: string): Promise<SeveralLanguages> {
  const { own, all } = await knownLanguages(client)
  if (own !== undefined && all.length > 1) return { own, all }
  throw onlyOne(client, own, phrase('leave out {option}', { option }))
}

/** The languages that a calendar has or could have, and its default one; throws `usage` if there is only one. */
export async function possibleLanguages(client: Reads): Promise<SeveralLanguages> {
  const { own, all } = await knownLanguages(client)
  if (own !== undefined && all.length > 1) return { own, all }
  if (client.capabilities.takesAnyLanguage) return { own: own ?? languages[0], all: languages }
  throw onlyOne(client, own, undefined)
}

const unknownLanguage = (calendar: string): string =>
  phrase('{calendar} does not report the language of its records', { calendar })

/** The command that gives a language an address of its own. */
const addressCommand = (language: string): string =>
  phrase('calctl profiles edit NAME --base-url-for {language}=URL', { language })

function onlyOne(client: Reads, own: Language | undefined, instead: string | undefined): Failure {
  const { label, baseUrl } = client.calendar
  if (own === undefined && client.languages().all.length > 0)
    return new Failure('usage', unknownLanguage(label), {
      hint: phrase('set the language of its main address with: {command}', {
        command: phrase('calctl profiles edit NAME --lang LANGUAGE'),
      }),
    })
  const message = own
    ? phrase('{calendar} has records in one language only, {language}', {
        calendar: label,
        language: languageName(own),
      })
    : phrase('{calendar} has records in one language only', { calendar: label })
  if (baseUrl === undefined) return new Failure('usage', message, { hint: instead })
  const command = addressCommand('en')
  return new Failure('usage', message, {
    hint:
      instead === undefined
        ? phrase('set the addresses of the others with: {command}', { command })
        : phrase('{hint}, or set the addresses of the others with: {command}', { hint: instead, command }),
  })
}

/** The language of a record: what it says itself, or the language of requests without a `lang_code`. */
export const languageOf = (client: Reads, { lang_code }: Answer): Language | undefined =>
  isLanguage(lang_code) ? lang_code : client.languages().own

/**
 * The languages of a translation: the source, by default the calendar's own, and the targets, by default all others. Throws `usage` for a
 * language that the calendar cannot have; `toFlag` is the option that names the languages to translate into.
 */
export async function chosenLanguages(
  client: Reads,
  options: { readonly from?: string; readonly to?: readonly string[] | undefined; readonly toFlag?: string },
): Promise<{ from: Language; to: Language[] }> {
  const { toFlag = '--to' } = options
  const { own, all } = await knownLanguages(client)
  const possible: readonly Language[] = client.capabilities.takesAnyLanguage ? languages : all
  const check = (flag: string, name: string): Language => {
    if (isLanguage(name) && possible.includes(name)) return name
    const { label: calendar, baseUrl } = client.calendar
    throw new Failure(
      'usage',
      phrase('{option}: {calendar} has no language "{name}"', { option: flag, calendar, name }),
      {
        hint:
          isLanguage(name) && baseUrl !== undefined
            ? phrase('if it has, set the address with: {command}', { command: addressCommand(name) })
            : phrase('use one of {choices}', { choices: listOf(possible.length > 0 ? possible : languages, 'or') }),
      },
    )
  }
  const from = options.from === undefined ? own : check('--from', options.from)
  if (from === undefined)
    throw new Failure('usage', unknownLanguage(client.calendar.label), {
      hint: phrase('add: {options}', { options: `--from ${languages.join('|')}` }),
    })
  const targets = options.to ?? (all.length > 1 ? all : possible).filter(language => language !== from)
  const to = [...new Set(targets)].map(name => check(toFlag, name))
  if (to.includes(from))
    throw new Failure(
      'usage',
      phrase('{option}: {language} is the language of the originals', { option: toFlag, language: languageName(from) }),
      { hint: phrase('leave it out, or choose originals in another language') },
    )
  if (to.length === 0) throw onlyOne(client, from, phrase('add: {options}', { options: `${toFlag} LANGUAGE` }))
  return { from, to }
}
