/** The characters that begin a new line or column in terminals and programs. */
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g

const esc = '\u001b'
const sequences = new RegExp(
  [
    // Titles, links: they end with BEL or ST. One that does not end removes none of the text after it.
    `(?:${esc}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])\\P{Cc}*(?:\u0007|${esc}\\\\|\u009c)`,
    // Colours, movements.
    `(?:${esc}\\[|\u009b)[0-?]*[ -/]*[@-~]`,
    `${esc}[ -/]*[0-~]`,
  ].join('|'),
  'gu',
)

/** Control characters but for tabs and newlines, and those that reverse the direction of writing. */
const controls = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu

/** Makes foreign text harmless for a terminal: no escape sequences, no control characters but tabs and newlines. */
export const sanitize = (text: string): string => text.replace(sequences, '').replace(controls, '')

/** The same for JSON, where the characters stay as escapes. */
export const escapeControls = (json: string): string =>
  json.replace(controls, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Text in one line and one column. */
export const singleLine = (text: string): string => text.replace(breaks, ' ')

/** Text made harmless, in one line and one column. */
export const sanitizeLine = (text: string): string => sanitize(singleLine(text))
