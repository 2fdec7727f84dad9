import { once } from '../memoize.ts'
import { phrase } from '../words/phrase.ts'

/** Windows-1252 from 0x80 to 0x9f, where Latin-1 has control characters. Node 20 decodes `windows-1252` as Latin-1. */
export const windows1252From80 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const windows1252 = new Map<string, number>([
  ...Array.from(windows1252From80, (letter, index): [string, number] => [letter, 0x80 + index]),
  ...Array.from({ length: 0x60 }, (_, index): [string, number] => [String.fromCharCode(0xa0 + index), 0xa0 + index]),
  // Some programs decoded the bytes as Latin-1.
  ...Array.from({ length: 0x20 }, (_, index): [string, number] => [String.fromCharCode(0x80 + index), 0x80 + index]),
])

/** What programs on a Mac make of the same bytes. */
const macRoman = once(() => {
  const letters = new TextDecoder('macintosh').decode(Uint8Array.from({ length: 0x80 }, (_, index) => 0x80 + index))
  return new Map(Array.from(letters, (letter, index): [string, number] => [letter, 0x80 + index]))
})

/** The length of a UTF-8 sequence by its first byte; only Western letters, signs and emoji are covered. */
function lengthAt(byte: number | undefined): number {
  if (byte === 0xc2 || byte === 0xc3) return 2
  if (byte === 0xe2) return 3
  return byte === 0xf0 ? 4 : 0
}

/** A cheap test: garbled text contains one of these letters. */
const beginning = /[ÂÃâð¬√‚]/

/** Repairs UTF-8 that was decoded as Windows-1252 or Mac Roman: `cafÃ©` becomes `café`. Other text is returned unchanged. */
export function decodeMojibake(text: string): string {
  let decoded = text
  // Text that was garbled twice is repaired twice.
  for (let times = 0; times < 3 && beginning.test(decoded); times++) {
    const western = decodeOnce(decoded, windows1252)
    const next = western === decoded ? decodeOnce(decoded, macRoman()) : western
    if (next === decoded) break
    decoded = next
  }
  return decoded
}

function decodeOnce(text: string, bytes: ReadonlyMap<string, number>): string {
  const parts: string[] = []
  let copied = 0
  for (let at = 0; at < text.length; at++) {
    const length = lengthAt(bytes.get(text[at] ?? ''))
    const letter = length === 0 ? undefined : letterAt(text.slice(at, at + length), bytes)
    if (letter === undefined) continue
    parts.push(text.slice(copied, at), letter)
    at += length - 1
    copied = at + 1
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(copied)
}

/** The letter of a UTF-8 sequence; undefined if it is invalid or not the shortest form. */
function letterAt(text: string, bytes: ReadonlyMap<string, number>): string | undefined {
  const sequence = Array.from(text, letter => bytes.get(letter) ?? 0)
  if (sequence.length !== lengthAt(sequence[0]) || sequence.slice(1).some(byte => byte < 0x80 || byte > 0xbf))
    return undefined
  const letter = new TextDecoder().decode(Uint8Array.from(sequence))
  const again = new TextEncoder().encode(letter)
  return String(again) === String(sequence) && isPlausible(letter) ? letter : undefined
}

/** Whether people write this letter: `Â` before a quotation mark could be intended, before a control character it cannot. */
const isPlausible = (letter: string): boolean =>
  /^[\u00a0-\u00ff\u2010-\u203a\u20ac\u2122\u2190-\u21ff\u2600-\u27bf\u{1f300}-\u{1faff}]$/u.test(letter)

/** What is wrong with a text whose letters were read in another encoding; undefined if they are right. */
export function lettersMistake(text: string): { readonly message: string; readonly hint: string } | undefined {
  const decoded = decodeMojibake(text)
  if (decoded === text) return undefined
  const meant = shortened(decoded)
  return {
    message: phrase('has wrong letters: "{text}" is "{meant}" in UTF-8 that was read in another encoding', {
      text: shortened(text),
      meant,
    }),
    hint: phrase('write what is meant: {readings}', { readings: meant }),
  }
}

const shortened = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
