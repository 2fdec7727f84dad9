import type { CheckQuestion, LookQuestion, Wish } from '../../../assistants/desk.ts'
import { usage } from '../../../base/failure.ts'
import { phrase } from '../../../base/words/phrase.ts'

/** The command lines for what assistants ask. What they write is always the value of an option, or follows `--`. */

export type LineWords = readonly string[]

/** How many records are read for one answer. */
export const perPage = 50

export const lookWords = (
  { what, text, from, to, status, category, venue }: LookQuestion,
  start: number,
): LineWords => {
  if (what === 'everything') return ['find', ...options({ limit: 1000 }), '--', text ?? '']
  const filters = options({ search: text, status, categories: category, venue })
  if (what === 'agenda') return ['agenda', ...options({ from, to }), ...filters]
  const page = Math.floor(start / perPage) + 1
  const days = options({ 'start-date': from, 'end-date': to && `${to} 23:59:59` })
  return [what, 'list', ...days, ...filters, ...options({ page, 'per-page': perPage })]
}

export const checkWords = ({ what, kind, from, to }: CheckQuestion): LineWords => {
  const days = options({ from, to })
  const kinds = kind === undefined ? [] : [kind]
  if (what === 'problems') return ['lint', ...kinds, ...days]
  if (what === 'gaps') return ['languages', 'status', ...kinds, '--gaps', ...days]
  return what === 'doubles' ? ['dedupe', ...kinds] : ['queue', ...days]
}

/** The command line that plans what is wished, from the records on stdin, and saves the plan. */
export function planWords(wish: Wish, save: string): LineWords {
  const { action, kind = 'events', records = [], ids = [], to, reason, allLanguages } = wish
  const saving = ['--save', save]
  if (action === 'create' || action === 'update' || action === 'apply') {
    if (records.length === 0) throw lacking('records', action)
    return action === 'apply' ? ['apply', '-', '--resource', kind, ...saving] : [kind, action, '--from', '-', ...saving]
  }
  if (ids.length === 0) throw lacking('ids', action)
  const many = allLanguages ? ['--all-languages'] : []
  const refs = ids.map(idText)
  if (action === 'merge') return [kind, 'merge', ...many, ...saving, '--', ...refs]
  if (action === 'cancel') return ['events', 'cancel', ...options({ reason }), ...many, ...saving, '--', ...refs]
  if (to === undefined) throw lacking('to', action)
  return ['events', 'move', ...many, ...saving, '--', ...refs, to]
}

export function idText(id: number): string {
  if (Number.isSafeInteger(id) && id > 0) return String(id)
  throw usage(phrase('no such ID: {id}', { id: String(id) }), phrase('take the id of a record that look has shown'))
}

const lacking = (name: string, action: string) =>
  usage(phrase('{action} needs {name}', { action, name }), phrase('add {name}', { name }))

const options = (values: Readonly<Record<string, string | number | undefined>>): LineWords =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : `--${name}=${value}`))
