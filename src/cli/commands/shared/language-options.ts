import { type Command, Option } from 'commander'
import { asOption } from '../../../base/text/sentence-parts.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { TextsByLanguage } from '../../../care/translations/change-in-languages.ts'
import type { Reads, Values } from '../../../client/client.ts'
import type { Field } from '../../../contract/field.ts'
import { isLanguage, type Language, languages } from '../../../contract/languages.ts'
import { type Answer, type Resource, textFields } from '../../../contract/resource.ts'
import type { App } from '../../app.ts'
import { languageOfLocale } from '../../interface-language.ts'
import { addFieldOption, fieldNames, typedValues } from './options.ts'

/** The options by which a write includes the translations of its records. */
export interface TranslationOptions {
  readonly allLanguages?: boolean
  readonly match?: readonly string[]
}

/** Adds `--all-languages`, its opposite, and `--match`. */
export const translationOptions = (command: Command): Command =>
  matchOption(
    command
      .optionsGroup('Translations:')
      .option('--all-languages', phrase('Also write the translations of the records'))
      .option('--no-all-languages', phrase('Leave the translations as they are')),
  )

export const matchOption = (command: Command): Command =>
  command.option(
    '--match <fields>',
    phrase('Find translations with other slugs by these fields, for example start_date+venue'),
    fieldNames,
  )

/** Adds `--title.es` and the like; the help shows one of them for all. */
export function textOptions(command: Command, resource: Resource): Command {
  for (const [name, field] of textsByLanguage(resource)) {
    if (name === `${resource.title}.es`)
      addFieldOption(
        command,
        name,
        field,
        phrase('A text of one language; the same for other texts, and for .ca and .en'),
      )
    else command.addOption(new Option(`${asOption(name)} <text>`).hideHelp())
  }
  return command
}

const textsByLanguage = (resource: Resource): [string, Field][] =>
  textFields(resource).flatMap(([name, field]) =>
    languages.map((language): [string, Field] => [`${name}.${language}`, field]),
  )

/** The given texts for single languages. */
export async function typedTexts(resource: Resource, options: Values): Promise<TextsByLanguage> {
  const typed = await typedValues(textsByLanguage(resource), options)
  const texts = new Map<Language, Record<string, unknown>>()
  for (const [path, value] of Object.entries(typed)) {
    const [name = '', language] = path.split('.') as [string, Language]
    texts.set(language, { ...texts.get(language), [name]: value })
  }
  return texts
}

/** The first option that gave such a text: `--title.es`. */
export const textFlag = (texts: TextsByLanguage): string =>
  [...texts].map(([language, values]) => `${asOption(Object.keys(values)[0] ?? '')}.${language}`)[0] ?? ''

/** The language of what is read: the requested one, that of the records or, if a site does not say its own, the user's. */
export function contentLanguage(app: App, client: Reads, records: readonly Answer[]): Language {
  const answered: unknown = records[0]?.lang_code
  return client.language ?? (isLanguage(answered) ? answered : languageOfLocale(app.world.env))
}
