import { decodeHTML } from 'entities/decode'
import { once } from '../memoize.ts'

/** A text as one word of a command line, for people to paste: in quotes where a shell would take it for more. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

const formulaStart = /^'*(?:[=+\-@\t\r\n＝＋－＠]|\s+@clear\s*$)/

/** Spreadsheet programs run cells that begin like this as formulas (CSV injection), and take them as text after an apostrophe. */
export const escapeFormula = (text: string): string => (formulaStart.test(text) ? `'${text}` : text)

export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && formulaStart.test(text) ? text.slice(1) : text

/** A text without percent-encoding: `Coral%20Vella` is `Coral Vella`. Malformed encoding stays as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A text for a path or a query. Half a surrogate pair, which is no character, becomes the replacement character. */
export const encodePercent = (text: string): string => encodeURIComponent(Buffer.from(text).toString())

/** The characters that begin a new line or column in terminals and programs. */
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g

const esc = '\u001b'
// Classes of Unicode characters take 0.3 ms each to compile, and only terminals need them.
const sequences = once(() => {
  // Titles, links: they end with BEL or ST. One that does not end removes none of the text after it.
  const texts = `(?:${esc}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])\\P{Cc}*(?:\u0007|${esc}\\\\|\u009c)`
  const colorsAndMovements = `(?:${esc}\\[|\u009b)[0-?]*[ -/]*[@-~]`
  return new RegExp(`${texts}|${colorsAndMovements}|${esc}[ -/]*[0-~]`, 'gu')
})

/**
 * Control characters but for tabs and newlines, what reverses the direction of writing, and what cannot be seen: names that look
 * alike would not be. A joiner between two pictures makes one of them, and a variation selector chooses its form.
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

/** The sequences of tables, progress and prompts: colours, and movements of the cursor. */
const ownSequences = new RegExp(`(\\r?${esc}\\[\\??[\\d;]*[A-HJKhlm])`)

/** The same for text with colours and movements of our own, in which foreign text has been made harmless before. */
export const sanitizePainted = (text: string): string =>
  text
    .split(ownSequences)
    .map((part, index) => (index % 2 === 1 ? part : sanitize(part)))
    .join('')

/** The same for JSON, and for quoted texts in YAML, where the characters stay as escapes. */
export const escapeControls = (json: string): string =>
  json.replace(controls(), character =>
    Array.from({ length: character.length }, (_, index) => escapeUnit(character.charCodeAt(index))).join(''),
  )

const escapeUnit = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`

/** Whether a text has characters that `sanitize` would remove. */
export const hasControls = (text: string): boolean => text.search(controls()) >= 0

/** Text in one line and one column. */
export const singleLine = (text: string): string => text.replace(breaks, ' ')

/** Text made harmless, in one line and one column. */
export const sanitizeLine = (text: string): string => sanitize(singleLine(text))

/** What stands in the place of a secret. */
export const hidden = '***'

/** Whether a header, a parameter or a key of JSON looks like the name of a secret. */
export const isSecretName = (name: string): boolean =>
  /pass(word|wd|phrase|code)?$|token|secret|authorization|cookie|nonce|(^|[-_.])key$|apikey/i.test(name)

/** A URL, or the end of one, as it may be printed and logged: without the secrets that its query may hold. */
export function hidePassword(url: string): string {
  const start = url.indexOf('?') + 1
  if (start === 0) return url
  const pairs = url.slice(start).split('&')
  return url.slice(0, start) + pairs.map(hideValue).join('&')
}

function hideValue(pair: string): string {
  const [name = ''] = pair.split('=', 1)
  return isSecretName(decodePercent(name)) && name !== pair ? `${name}=${hidden}` : pair
}

/** A value of JSON without the secrets in it, at any depth. */
export function hideSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isSecretName(name) && item ? hidden : hideSecrets(item)]),
  )
}

/** Decodes HTML entities: `Jazz &#038; Blues` is `Jazz & Blues`. */
export const decodeEntities = (text: string): string => (text.includes('&') ? decodeHTML(text) : text)
