import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lengthText, readLength } from '../../src/base/time/durations.ts'
import type { WhenOutcome, WhenRow } from './when-entrances.ts'

/** Texts as people write them, each with its only meaning, all of its meanings, or `no`: the same in every entrance. */
export const rowsOf = (): WhenRow[] =>
  readFileSync(join(import.meta.dirname, 'when.tsv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map(line => {
      const [kind = '', context = '', language = '', text = '', meaning = ''] = line.split('\t')
      return { kind, context, language, text, meaning }
    })

/** Words that count from today, which a file refuses because it may be read later. */
const relative = /vinent|dem[àa]|aqu[íi] a|dentro de|fortnight|\bnext\b|tomorrow/i

/** What these entrances do differently, and why. */
const exceptions: Readonly<Record<string, string>> = {
  'sheet 5/12': 'in an English sheet, the order of day and month is decided for the whole column',
}

const inText = (wall: unknown): string => String(wall ?? '').replace(/:00$/, '')

/** The dates of an event in the form of the table. */
function shown(
  { start_date, end_date, all_day }: Readonly<Record<string, unknown>>,
  { kind, meaning }: WhenRow,
): string {
  const [start, end] = [inText(start_date), inText(end_date)]
  if (kind === 'length') return `PT${lengthText(Date.parse(`${end}Z`) - Date.parse(`${start}Z`)).toUpperCase()}`
  const size = meaning.split(/[/|]/)[0]?.trim().length
  if (kind === 'end' && !meaning.includes('/')) return end.slice(0, size)
  if (kind !== 'last' && all_day === true && start.slice(0, 10) === end.slice(0, 10)) return start.slice(0, 10)
  return meaning.includes('/') ? [start, end].map(one => one.slice(0, size)).join('/') : start.slice(0, size)
}

const asLength = (meaning: string) =>
  meaning.replace(/PT(\S+)/g, (_, length: string) => lengthText(readLength(length.toLowerCase()) ?? 0))

/** What has to stand in a refusal for this meaning. */
const token = (meaning: string): string =>
  meaning.startsWith('PT') ? asLength(meaning) : (/\d\d:\d\d$/.exec(meaning)?.[0] ?? meaning)

/** `right`, or what came out instead of the meaning. */
export function verdictOf(row: WhenRow, outcome: WhenOutcome): string {
  const found = verdict(row, outcome)
  const isLength = row.kind === 'length' && row.meaning !== 'no' && !row.meaning.includes('||')
  const wanted = isLength ? `PT${asLength(row.meaning).toUpperCase()}` : row.meaning
  return found === wanted ? 'right' : found
}

/** Whether an entrance takes such a text. */
export function isTried(name: string, { kind, text, meaning, language }: WhenRow): boolean {
  if (
    name === 'sheet' &&
    ((['date', 'span'].includes(kind) && relative.test(text)) ||
      (language === 'en' && exceptions[`sheet ${text}`] !== undefined))
  )
    return false
  // A terminal asks for the hour of an end that has none.
  if (name === 'terminal' && kind === 'end' && !meaning.includes(':') && meaning !== 'no') return false
  // The question about an event of whole days has only its last day.
  if (name === 'terminal' && kind === 'last') return false
  // The question about the end takes hours as well.
  if (['library', 'terminal'].includes(name) && kind === 'length') return false
  return !meaning.includes(' | ')
}

function verdict(row: WhenRow, { events, said }: WhenOutcome): string {
  const meanings = row.meaning.split(' || ')
  if (events.length > 0) return events.map(event => shown(event, row)).join(' | ')
  if (row.meaning === 'no') return 'no'
  const isNamed = (meaning: string) =>
    said.includes(token(meaning)) || said.includes(token(meaning).replace(/^00:00$/, '24:00'))
  return meanings.length > 1 && meanings.every(isNamed) ? row.meaning : `refused: ${said}`
}

/** All meanings of a row as documents have them. */
export const meaningsOf = ({ meaning }: WhenRow, refused: string): string =>
  meaning
    .split(' || ')
    .map(one =>
      one === 'no' ? refused : asLength(one.replace(/ ?([/|]) ?/, (_, sign) => (sign === '/' ? ' – ' : ' + '))),
    )
    .join(', ')

/** The rows of ends and lengths as docs/dates.md has them. */
export const inDocuments = (refused: string, wholeDay: string): string =>
  rowsOf()
    .filter(({ kind }) => ['end', 'last', 'length'].includes(kind))
    .map(row => {
      const start = `${row.context.replace('start ', '')}${row.kind === 'last' ? wholeDay : ''}`
      return `| \`${row.text}\` | ${start} | ${meaningsOf(row, refused)} |`
    })
    .join('\n')
