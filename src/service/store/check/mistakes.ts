import { Failure } from '../../../base/failure.ts'

/** The mistakes that were found in a calendar file, each with its path: `events[3].start_date`. */
export interface Mistakes {
  add(path: string, what: string): void
  readonly count: number
  /** Throws if there are any; names the first. */
  throwIfAny(): void
}

/** Collects the mistakes of a file. */
export function createMistakes(file: string): Mistakes {
  const found: string[] = []
  return {
    add: (path, what) => void found.push(`${path}: ${what}`),
    get count() {
      return found.length
    },
    throwIfAny() {
      const [first, ...others] = found
      if (first === undefined) return
      const more = others.length > 0 ? ` (and ${others.length} more)` : ''
      throw new Failure('settings', `${file}: ${first}${more}`, {
        hint: 'fix it, then try again; nothing was changed',
      })
    },
  }
}

/** A value as a sentence can quote it. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
