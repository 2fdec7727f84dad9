import { decodeHTML } from 'entities/decode'
import { ignoreErrors } from '../attempt.ts'
import { once } from '../memoize.ts'

/** A text as one word of a command line that people can paste, in quotes if a shell needs them. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

const formulaStart = /^'*(?:[=+\-@\t\r\n＝＋－＠]|\s+@clear\s*$)/

/** Spreadsheet programs run cells that begin like this as formulas (CSV injection), and take them as text after an apostrophe. */
export const escapeFormula = (text: string): string => (formulaStart.test(text) ? `'${text}` : text)

export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && formulaStart.test(text) ? text.slice(1) : text

/** Decodes percent-encoding: `Coral%20Vella` is `Coral Vella`. Malformed encoding stays as it is. */
export const decodePercent = (text: string): string => ignoreErrors(() => decodeURIComponent(text)) ?? text

/** Encodes a text for a path or a query. A lone surrogate becomes the replacement character. */
export const encodePercent = (text: string): string => encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'))

/** The characters that begin a new line or column in terminals and programs. */
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g

const esc = '\u001b'
// Classes of Unicode characters take 0.3 ms each to compile, and only terminals need them.
const sequences = once(() => {
  // Titles and links end with BEL or ST. An unterminated one removes no text.
  const texts = `(?:${esc}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])\\P{Cc}*(?:\u0007|${esc}\\\\|\u009c)`
  const colorsAndMovements = `(?:${esc}\\[|\u009b)[0-?]*[ -/]*[@-~]`
  return new RegExp(`${texts}|${colorsAndMovements}|${esc}[ -/]*[0-~]`, 'gu')
})

/**
 * Control characters other than tabs and newlines, bidirectional controls, and invisible characters, which would make different
 * names look alike. A joiner between two emoji and a variation selector are kept.
 */
const controls = once(
  () =>
    new RegExp(
      '[\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2028\\u2029](?<![\\t\\n]|\\ufe0e|\\ufe0f)' +
        '(?<!(?:\\p{Extended_Pictographic}|\\p{Emoji_Modifier}|\\ufe0f)\\u200d(?=\\p{Extended_Pictographic}))',
      'gu',
    ),
)

/** Makes foreign text harmless for a terminal: no escape sequences, no control characters but tabs and newlines. */
export const sanitize = (text: string): string => text.replace(sequences(), '').replace(controls(), '')

/** The sequences that tables, progress and prompts write: colours and cursor movements. */
const ownSequences = new RegExp(`(\\r?${esc}\\[\\??[\\d;]*[A-HJKhlm])`)

/** Sanitizes text that contains our own colours and cursor movements; foreign text in it has been sanitized before. */
export const sanitizePainted = (text: string): string =>
  text
    .split(ownSequences)
    .map((part, index) => (index % 2 === 1 ? part : sanitize(part)))
    .join('')

/** Sanitizes JSON and quoted YAML, where the characters stay as escapes. */
export const escapeControls = (json: string): string =>
  json.replace(controls(), character =>
    Array.from({ length: character.length }, (_, index) => escapeUnit(character.charCodeAt(index))).join(''),
  )

const escapeUnit = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`

export const singleLine = (text: string): string => text.replace(breaks, ' ')

export const sanitizeLine = (text: string): string => sanitize(singleLine(text))

/** Decodes HTML entities: `Jazz &#038; Blues` is `Jazz & Blues`. */
export const decodeEntities = (text: string): string => (text.includes('&') ? decodeHTML(text) : text)

const xmlEntities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Control characters but for tab and line feed, and halves of characters: XML takes them in no form. */
export const unwritableInXml = /[^\P{Cc}\t\n]|\p{Cs}|[\uFFFE\uFFFF]/gu

/** A text as the content of an XML element or attribute, without what XML cannot have. */
export const escapeXml = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[&<>"]/g, character => xmlEntities[character] ?? character)
    .replace(unwritableInXml, '')

/** HTML as plain text; undefined for a value that is blank or not a text. */
export function plainText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value
    .replace(/<br\s*\/?>\n?/gi, '\n')
    .replace(/<\/p>\s*(?=<p\b)/gi, '\n\n')
    .replace(/<\/?[a-z][^>]*>/gi, '')
  return decodeEntities(text).trim() || undefined
}
