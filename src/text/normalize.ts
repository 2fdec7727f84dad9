import { decodeHTML } from 'entities'
import { memoize } from '../memoize.ts'
import { foldCase } from './similarity.ts'

/** What WordPress makes of typed quotes, dashes and dots when it renders a text, and what was probably typed. */
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

/** Decodes HTML entities: `Jazz &#038; Blues` is `Jazz & Blues`. */
export const decodeEntities = (text: string): string => (text.includes('&') ? decodeHTML(text) : text)

/** A text without what rendering adds: paragraphs, entities, typography, repeated white space. For comparing only. */
export const normalizeText = (text: string): string =>
  decodeEntities(text.replace(/<\/?p[^>]*>|<br\s*\/?>/gi, ' '))
    .replace(/[‘’“”″′–—…×\u00a0]/g, sign => typed[sign] ?? sign)
    .replace(/-{2,3}/g, '-')
    .replace(/\s+/g, ' ')
    .trim()

/** A normalized text without case and accents, for comparing names. */
export const foldText = memoize(text => foldCase(normalizeText(text)))
