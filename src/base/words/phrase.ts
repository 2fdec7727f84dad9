import { MessageFormatter, pluralTypeHandler, selectTypeHandler } from '@ultraq/icu-message-formatter'
import { memoize } from '../memoize.ts'

/**
 * The language of the interface. Each sentence that a person reads goes through `phrase`. Its key is the English sentence in ICU's
 * message format; the catalogs in this folder have the Catalan and Spanish ones. The command line chooses a language once, when it
 * starts, so `phrase` is called where a sentence is used, never while a module is loaded.
 */

/** `xx` is for tests: English in brackets, which shows text that did not go through `phrase`. */
export const interfaceLanguages = ['ca', 'en', 'es'] as const
export type InterfaceLanguage = (typeof interfaceLanguages)[number]
export const pseudoLanguage = 'xx'

/** Translations by English sentence. */
export type Catalog = Readonly<Record<string, string>>

type Places = Readonly<Record<string, string | number>>

export interface SpokenLanguage {
  readonly language: InterfaceLanguage
  readonly catalog?: Catalog
  readonly isPseudo?: boolean
}

let speech: SpokenLanguage = { language: 'en' }

/** Sets the language. A sentence without a translation stays in English. */
export function speak(language: InterfaceLanguage | typeof pseudoLanguage, catalog?: Catalog): void {
  if (language === pseudoLanguage) speech = { language: 'en', isPseudo: true }
  else speech = { language, ...(catalog && { catalog }) }
}

/** The language with its catalog, for another thread. */
export const speechNow = (): SpokenLanguage => speech

/** Sets what `speechNow` returned in another thread. */
export function speakAs(given: SpokenLanguage): void {
  speech = given
}

/** Runs a function in English, whatever the language: for texts that programs read, such as answers of the service. */
export function inEnglish<T>(say: () => T): T {
  const before = speech
  speech = { language: 'en' }
  try {
    return say()
  } finally {
    speech = before
  }
}

export const interfaceLanguage = (): InterfaceLanguage => speech.language

/**
 * A sentence in the language of the interface: `phrase('kept {count, plural, one {# event} other {# events}}', { count: 3 })`. The
 * sentence is a literal, or a name that the program has as data: a test compares the catalogs with both.
 */
export function phrase(sentence: string, places: Places = {}): string {
  if (speech.isPseudo) return `⟦${filled(sentence, 'en', places)}⟧`
  const translated = speech.catalog?.[sentence]
  // A catalog may be damaged; to check all of it would take 2 ms of each command.
  if (typeof translated !== 'string') return filled(sentence, 'en', places)
  return placesIn(translated).every(name => name in places)
    ? filled(translated, speech.language, places)
    : filled(sentence, 'en', places)
}

/** The names of all places of a sentence, including those inside plurals and choices. */
export function placesOf(sentence: string): string[] {
  const names = blocksOf(sentence).flatMap(block => {
    const [, name = block, branches] = /^(.*?),\s*(?:plural|select),(.*)$/s.exec(block) ?? []
    return [name.trim(), ...(branches === undefined ? [] : blocksOf(branches).flatMap(placesOf))]
  })
  return [...new Set(names)]
}

const placesIn = memoize(placesOf)

/** The contents of each outermost `{…}`. */
function blocksOf(text: string): string[] {
  const blocks: string[] = []
  let depth = 0
  let start = 0
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    if (brace === '{' && depth++ === 0) start = index + 1
    if (brace === '}' && --depth === 0) blocks.push(text.slice(start, index))
  }
  return blocks
}

const formatterFor = memoize(
  language => new MessageFormatter(language, { plural: pluralTypeHandler, select: selectTypeHandler }),
)

function filled(sentence: string, language: InterfaceLanguage, places: Places): string {
  if (!sentence.includes('{')) return sentence
  if (!/\{\w+, (plural|select),/.test(sentence))
    return sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(places[name]))
  // `format` would cache every text forever.
  return formatterFor(language).process(sentence, places).flat(Number.POSITIVE_INFINITY).join('')
}
