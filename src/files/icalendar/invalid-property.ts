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

/** What a function reads, or undefined if that is invalid. */
export function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof InvalidProperty) return undefined
    throw error
  }
}

/** A rule that cannot be expanded. */
export const invalidRule = (expected: string, rule: string): InvalidProperty =>
  new InvalidProperty('rrule', expected, rule)
