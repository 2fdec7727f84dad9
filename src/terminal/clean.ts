import type { Sink } from '../world.ts'

/** What begins a new line or a new column somewhere. */
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g

const esc = '\u001b'
const sequences = new RegExp(
  [
    // What ends with BEL or ST: titles, links. One that does not end takes no text with it.
    `(?:${esc}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])\\P{Cc}*(?:\u0007|${esc}\\\\|\u009c)`,
    // Colours, movements.
    `(?:${esc}\\[|\u009b)[0-?]*[ -/]*[@-~]`,
    `${esc}[ -/]*[0-~]`,
  ].join('|'),
  'gu',
)

/** Controls that are no tab or newline, and what turns the direction of writing around. */
const controls = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu

/** Text that came from elsewhere, made harmless for a terminal; tabs and newlines stay. */
export const clean = (text: string): string => text.replace(sequences, '').replace(controls, '')

/** The same for JSON, which can say every character without meaning it. */
export const cleanJson = (json: string): string =>
  json.replace(controls, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Writes a sentence that may repeat what came from elsewhere. */
export const writeSentence = (sink: Sink, text: string): Promise<void> => sink.write(sink.isTTY ? clean(text) : text)

/** One line, one column. */
export const oneLine = (text: string): string => text.replace(breaks, ' ')

/** One line, one column, harmless. */
export const cleanLine = (text: string): string => clean(oneLine(text))
