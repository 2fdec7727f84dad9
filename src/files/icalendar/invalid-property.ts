import { phrase } from '../../base/words/phrase.ts'

/** An invalid value in a feed, or an invalid rule; the message completes "expected …". */
export class InvalidProperty extends Error {
  constructor(
    readonly property: string,
    readonly expected: string,
    readonly value: string,
  ) {
    super(`${property}: ${phrase('expected {expected}, got "{text}"', { expected, text: value })}`)
  }
}

/** A rule that cannot be expanded. */
export const invalidRule = (expected: string, rule: string): InvalidProperty =>
  new InvalidProperty('rrule', expected, rule)
