import { decodeHTML } from 'entities'

/** What typography turns quotes, dashes and dots into, and what was probably typed. */
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

/** A text as people read it: entities decoded. `Jazz &#038; Blues` is `Jazz & Blues`. */
export const decoded = (text: string): string => (text.includes('&') ? decodeHTML(text) : text)

/** A text without what rendering adds: markup of paragraphs, entities, typography, runs of blanks. For comparing only. */
export const bare = (text: string): string =>
  decoded(text.replace(/<\/?p[^>]*>|<br\s*\/?>/gi, ' '))
    .replace(/[‘’“”″′–—…×\u00a0]/g, sign => typed[sign] ?? sign)
    .replace(/-{2,3}/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
