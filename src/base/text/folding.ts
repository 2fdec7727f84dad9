import { memoize } from '../memoize.ts'
import { decodeEntities } from './escaping.ts'

export const foldCase = (text: string): string =>
  /^[\0-\x7f]*$/.test(text) ? text.toLowerCase() : text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** WordPress's typographic quotes, dashes and dots, and what was probably typed. */
const typed: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '″': '"',
  '′': "'",
  '–': '-',
  '—': '-',
  '…': '...',
  '×': 'x',
  '\u00a0': ' ',
}

/** A text without the effects of rendering: paragraphs, entities, typography, repeated white space. For comparison only. */
export const normalizeText = (text: string): string =>
  decodeEntities(text.replace(/<\/?p[^>]*>|<br\s*\/?>/gi, ' '))
    .replace(/[‘’“”″′–—…×\u00a0]/g, sign => typed[sign] ?? sign)
    .replace(/-{2,3}/g, '-')
    .replace(/\s+/g, ' ')
    .trim()

export const foldText = memoize(text => foldCase(normalizeText(text)))
