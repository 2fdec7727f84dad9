import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Repetition, readRepetition } from '../../src/base/time/repetitions.ts'

export interface RepetitionRow {
  readonly language: string
  readonly text: string
  readonly meanings: readonly string[]
  readonly certainty: string
}

/** The first event is on a Tuesday. */
export const context = { start: '2026-12-01', now: '2026-11-28 12:00:00' }

/** Phrases with their meanings; `no` for those that have none. Meanings that no calendar can carry out are only counted as doubt. */
export const repetitionRows = (name: string): RepetitionRow[] =>
  readFileSync(join(import.meta.dirname, name), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map(line => {
      const [language = '', text = '', meaning = '', certainty = ''] = line.split('\t')
      const isPossible = (one: string) => !/^no: |plus the 13th/.test(one)
      const meanings = certainty === 'no' ? [] : meaning.split(' || ').filter(isPossible)
      return { language, text, meanings, certainty }
    })

/** Ranges as in the tables. */
function shownRepetition({ rule, except = [], holidays, from, until }: Repetition): string {
  return [
    rule,
    holidays === 'besides' ? 'plus holidays' : '',
    holidays === 'without' ? 'except holidays' : '',
    except.length > 0 ? `except ${except.join(', ')}` : '',
    from ? `from ${from}` : '',
    until ? `until ${until}` : '',
  ]
    .filter(part => part !== '')
    .join('; ')
}

export function readAsRow(text: string): Pick<RepetitionRow, 'meanings' | 'certainty'> {
  const read = readRepetition(text, context)
  if ('refused' in read) return { meanings: [], certainty: 'no' }
  if ('doubt' in read) return { meanings: read.doubt.map(({ value }) => shownRepetition(value)), certainty: 'doubt' }
  return { meanings: [shownRepetition(read.value)], certainty: 'sure' }
}
