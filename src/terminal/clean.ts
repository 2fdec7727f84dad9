import { stripVTControlCharacters } from 'node:util'
import type { Sink } from '../world.ts'

/** What begins a new line or a new column somewhere. */
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g

/** Controls that are no tab or newline, and what turns the direction of writing around. */
const controls = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu

/** Text that came from elsewhere, made harmless for a terminal; tabs and newlines stay. */
export const clean = (text: string): string => stripVTControlCharacters(text).replace(controls, '')

/** The same for JSON, which can say every character without meaning it. */
export const cleanJson = (json: string): string =>
  json.replace(controls, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Writes a sentence that may repeat what came from elsewhere. */
export const writeSentence = (sink: Sink, text: string): Promise<void> => sink.write(sink.isTTY ? clean(text) : text)

/** One line, one column. */
export const oneLine = (text: string): string => text.replace(breaks, ' ')
