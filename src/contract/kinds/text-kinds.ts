import { decodeEntities, decodePercent } from '../../base/text/escaping.ts'
import { isOffset, isZone } from '../../base/time/zone.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Kind } from '../field.ts'
import { say } from '../languages.ts'
import { isUnpublished } from '../post-status.ts'
import type { SiteField } from '../site-field.ts'
import { base, fieldOf, word } from './base-kind.ts'
import { asksForNone, isClean, scalar } from './kind-values.ts'
import { isRenderingOf } from './rendered-text.ts'

const textKind: Kind<string> = {
  ...base,
  isSentAsText: true,
  isExactly(asked, { name, answer: { [name]: shown } }) {
    if (typeof asked !== 'string' || typeof shown !== 'string') return isRenderingOf(String(shown ?? ''), String(asked))
    const isSame = asked === shown || composed(asked) === composed(decodeEntities(shown))
    return isSame || (isRendered.test(shown) && isRenderingOf(shown, asked))
  },
}

/** File systems and browsers compose accents differently, with the same look. */
const composed = (text: string): string => text.trim().normalize('NFC')

/** Rendered texts are compared by content; in others every character counts. */
const isRendered = /<\/?[a-z]|&#?\w+;/i

/** Whether values are free text, without a list of choices. */
export const isFreeText = ({ shape, isFilledIn }: Kind): boolean =>
  (shape === 'prose' || shape === 'word') && !isFilledIn

/** A part of a URL: services normalize it, and derive it from the title if none is given. */
const slugKind: Kind<string> = {
  ...textKind,
  isMadeIfNone: true,
  isShown(asked, { name, answer: { [name]: value, status } }) {
    if (asksForNone(asked)) return value === '' || !isUnpublished(String(status))
    return normalizeSlug(String(asked)) === normalizeSlug(String(value))
  },
}

/** A slug as services normalize it. */
export const normalizeSlug = (text: string): string =>
  decodePercent(text)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

const timeZoneKind: Kind<string> = {
  ...word,
  name: 'timeZone',
  placeholder: 'zone',
  expected: () => phrase('a time zone'),
  example: 'Europe/Madrid',
  empty: null,
  isFilledIn: true,
  read: scalar(value => typeof value === 'string' && (value === '' || isZone(value))),
  isStoredBySite: text => isZone(text) || isOffset(text),
}

const urlKind: Kind<string> = {
  ...word,
  name: 'url',
  placeholder: 'url',
  expected: () => phrase('an http or https URL'),
  example: 'https://example.org/',
  read: scalar(value => value === '' || isHttp(value)),
  isStoredBySite: isPhpUrl,
  roundTrip({ name, field, answer: { [name]: shown, ...others } }) {
    const { emptyAs } = field.site ?? {}
    if (emptyAs === undefined) return shown
    // A site escapes ampersands in the URLs of events.
    return shown === others[emptyAs] ? '' : String(shown ?? '').replaceAll('&amp;', '&')
  },
}

export function isHttp(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\/[^\s\p{Cc}\p{Surrogate}]+$/iu.test(value) && URL.canParse(value)
}

/** Whether a text passes PHP's URL filter: any scheme with two slashes, in ASCII. */
function isPhpUrl(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\/[!-~]+$/i.test(text)
}

const emailKind: Kind<string> = {
  ...word,
  name: 'email',
  placeholder: 'email',
  expected: () => phrase('an e-mail address'),
  example: 'info@example.org',
  read: scalar(value => typeof value === 'string' && (value === '' || emailAddress.test(value))),
  isStoredBySite: isClean,
}

/** The addresses that zod's `email()` accepts: ASCII, with a domain of at least two labels. */
const emailAddress =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/

export const email = fieldOf(emailKind)
export const slug = <const S extends SiteField>(site: S) =>
  fieldOf(slugKind)(say('Identificador a l’URL', 'Name in URLs', 'Identificador en la URL'), {
    acrossLanguages: 'text',
    site,
  })
export const text = fieldOf(textKind)
export const timeZone = fieldOf(timeZoneKind)
export const url = fieldOf(urlKind)
