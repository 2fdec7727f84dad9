import { fieldOf } from '../field.ts'
import { defineKind } from './define-kind.ts'

export const isHttp = (value: unknown): boolean =>
  typeof value === 'string' && /^https?:\/\/[^\s\p{Cc}\p{Surrogate}]+$/iu.test(value) && URL.canParse(value)

/** Whether this passes PHP's filter for URLs: any scheme with two slashes, in ASCII. */
export const isPhpUrl = (text: string): boolean => /^[a-z][a-z\d+.-]*:\/\/[!-~]+$/i.test(text)

/** The address that zod's `email()` takes: ASCII, with a domain of at least two labels. */
const emailAddress =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/

const urlKind = defineKind<string>({
  name: 'url',
  words: { placeholder: 'url', expected: 'an http or https URL', example: 'https://example.org/' },
  read: value => (value === '' || isHttp(value) ? value : undefined),
  empty: '',
  blank: '',
})

const emailKind = defineKind<string>({
  name: 'email',
  words: { placeholder: 'email', expected: 'an e-mail address', example: 'info@example.org' },
  read: value => (typeof value === 'string' && (value === '' || emailAddress.test(value)) ? value : undefined),
  empty: '',
  blank: '',
})

export const url = fieldOf(urlKind)
export const email = fieldOf(emailKind)
