import { decodeEntities, decodePercent } from '../../base/text/escaping.ts'
import { isObject } from '../../base/text/json.ts'
import { isBlank } from '../../base/text/match-key.ts'
import { isOffset, isZone } from '../../base/time/zone.ts'
import { phrase } from '../../base/words/phrase.ts'
import {
  type Allowed,
  type Field,
  type FieldExtra,
  fieldOf,
  type Kind,
  type Schema,
  type Shown,
  type Storing,
} from '../field.ts'
import type { Words } from '../languages.ts'
import { choiceList, isUnpublished } from '../post-status.ts'
import { partsOf } from './currency.ts'
import { asksForNone, choiceIn, equal, isClean, isPlain, scalar } from './kind-values.ts'
import { isRenderingOf } from './rendered-text.ts'

/** A value stored as one text. The other kinds override what differs. */
export const base = {
  name: 'text',
  shape: 'prose',
  placeholder: 'text',
  expected: ({ nonEmpty }: Allowed): string => (nonEmpty ? phrase('text that is not blank') : phrase('text')),
  example: 'Concert',
  empty: '',
  emptyColumn: '',
  text: (value: unknown): string => (isObject(value) ? JSON.stringify(value) : String(value)),
  read: (value: unknown, { nonEmpty }: Allowed): unknown =>
    isPlain(value) && !(nonEmpty && isBlank(String(value), nonEmpty === 'name')) ? String(value) : undefined,
  inFile: (value: unknown, _field: Field): unknown => value,
  schema: ({ nonEmpty }: Field): Schema => (nonEmpty ? { type: 'string', minLength: 1 } : { type: 'string' }),
  answerSchema: (_field: Field): Schema => ({ type: 'string' }),
  canonical: (answered: unknown, _field: Field): unknown => answered ?? '',
  written: (canonical: unknown): unknown => (typeof canonical === 'string' ? decodeEntities(canonical) : canonical),
  isShown: (asked: unknown, { name, answer }: Shown): boolean =>
    isRenderingOf(String(answer[name] ?? ''), String(asked)),
  roundTrip: ({ name, answer }: Shown): unknown => answer[name],
  exported: (shown: Shown): unknown => shown.field.kind.roundTrip(shown),
  column: (value: unknown, { nonEmpty }: Field, _name: string, _storing: Storing): unknown =>
    nonEmpty ? String(value).trim() : value,
  isPatchable: (_value: unknown): boolean => true,
  patched: (value: unknown, _field: Field): unknown => String(value ?? ''),
  unpatched: (value: unknown, _field: Field): unknown => value,
} as const satisfies Kind

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

const word = { ...base, shape: 'word', isSentAsText: true, column: (value: unknown) => value } as const

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

const choiceKind: Kind<string | null, string> = {
  ...word,
  name: 'choice',
  placeholder: 'word',
  expected: ({ choices }) => phrase('one of {choices}', { choices: choiceList(choices) }),
  example: 'draft',
  empty: null,
  emptyColumn: null,
  isFilledIn: true,
  read: choiceIn,
  schema: ({ choices }) => ({ type: 'string', enum: choices }),
  answerSchema: ({ choices = [] }) => ({ type: ['string', 'null'], enum: [...choices, null] }),
}

/** One of a few words, or none. Sites store other texts as well. */
const markKind: Kind<string> = {
  ...word,
  name: 'mark',
  placeholder: 'word',
  expected: ({ choices }) => phrase('one of {choices}, or nothing', { choices: choiceList(choices) }),
  example: 'canceled',
  read: (value, field) => (value === '' || value === null ? '' : choiceIn(value, field)),
  schema: ({ choices = [] }) => ({ type: 'string', enum: ['', ...choices] }),
}

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

/** Whether a text was stored as sent. For users without `unfiltered_html`, WordPress escapes ampersands. */
export function isStoredAs(sent: unknown, stored: unknown): boolean {
  if (isObject(sent) || isObject(stored)) {
    // A cost with its currency, or the written parts of one.
    const [asked, kept] = [sent, stored].map(value => (isObject(value) ? value : { ...partsOf(String(value ?? '')) }))
    return Object.entries(asked ?? {}).every(([name, value]) => equal(value, kept?.[name]))
  }
  const [asked, kept] = [[sent ?? ''].flat().join(' - '), String(stored)].map(text =>
    text.replace(/\r\n?/g, '\n').trim().normalize('NFC'),
  )
  return asked === kept || (kept !== undefined && decodeEntities(asked ?? '') === decodeEntities(kept))
}

export const email = fieldOf(emailKind)
export const slug = fieldOf(slugKind)
export const text = fieldOf(textKind)
export const timeZone = fieldOf(timeZoneKind)
export const url = fieldOf(urlKind)

export const mark = <const E extends FieldExtra = object>(words: Words, choices: readonly string[], extra?: E) =>
  fieldOf(markKind)(words, { choices, ...extra } as E)

export const choice = <const E extends FieldExtra = object>(words: Words, choices: readonly string[], extra?: E) =>
  fieldOf(choiceKind)(words, { choices, ...extra } as E)
