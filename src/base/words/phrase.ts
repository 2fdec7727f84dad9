import { MessageFormatter, pluralTypeHandler, selectTypeHandler } from '@ultraq/icu-message-formatter'

/**
 * The language of the interface. Each sentence that a person reads goes through `phrase`. Its key is the English sentence, in ICU's
 * message format; the catalogs in this folder have the Catalan and the Spanish ones. The command line chooses a language once, when it
 * starts, so a sentence is made where it is said, and never while a module is loaded.
 */

/** The languages that people read; `xx` is for tests: English in brackets, so that what has no brackets is seen. */
export const interfaceLanguages = ['ca', 'en', 'es'] as const
export type InterfaceLanguage = (typeof interfaceLanguages)[number]
export const pseudoLanguage = 'xx'

/** The English sentences with their translations. */
export type Catalog = Readonly<Record<string, string>>

type Places = Readonly<Record<string, string | number>>

interface Speech {
  readonly language: InterfaceLanguage
  readonly catalog?: Catalog
  readonly isPseudo?: boolean
}

let speech: Speech = { language: 'en' }

/** Speaks this language from now on. Without a catalog, or where it has no translation, the sentences are English. */
export function speak(language: InterfaceLanguage | typeof pseudoLanguage, catalog?: Catalog): void {
  if (language === pseudoLanguage) speech = { language: 'en', isPseudo: true }
  else speech = { language, ...(catalog && { catalog }) }
}

/** What a function says in English, whatever language is spoken: what goes to programs, as the answers of the service. */
export function inEnglish<T>(say: () => T): T {
  const before = speech
  speech = { language: 'en' }
  try {
    return say()
  } finally {
    speech = before
  }
}

/** The language that is spoken now. */
export const interfaceLanguage = (): InterfaceLanguage => speech.language

/**
 * A sentence in the language of the interface: `phrase('kept {count, plural, one {# event} other {# events}}', { count: 3 })`.
 * The sentence is a literal, so that the catalogs can be compared with the source.
 */
export function phrase(sentence: string, places: Places = {}): string {
  if (speech.isPseudo) return `⟦${filled(sentence, 'en', places)}⟧`
  const translated = speech.catalog?.[sentence]
  if (translated === undefined) return filled(sentence, 'en', places)
  return placesOf(translated).every(name => name in places)
    ? filled(translated, speech.language, places)
    : filled(sentence, 'en', places)
}

/** The names of the places of a sentence, those in the branches of plurals and choices too. */
export function placesOf(sentence: string): string[] {
  const names = blocksOf(sentence).flatMap(block => {
    const [, name = block, branches] = /^(.*?),\s*(?:plural|select),(.*)$/s.exec(block) ?? []
    return [name.trim(), ...(branches === undefined ? [] : blocksOf(branches).flatMap(placesOf))]
  })
  return [...new Set(names)]
}

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

const formatters = new Map<string, MessageFormatter>()

function filled(sentence: string, language: InterfaceLanguage, places: Places): string {
  if (!sentence.includes('{')) return sentence
  if (!/\{\w+, (plural|select),/.test(sentence))
    return sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(places[name]))
  let formatter = formatters.get(language)
  if (formatter === undefined) {
    formatter = new MessageFormatter(language, { plural: pluralTypeHandler, select: selectTypeHandler })
    formatters.set(language, formatter)
  }
  // `format` would keep each text that it ever made.
  return formatter.process(sentence, places).flat(Number.POSITIVE_INFINITY).join('')
}
