import { capitalized } from '../../base/text/sentence-parts.ts'
import { interfaceLanguage, phrase } from '../../base/words/phrase.ts'
import { isLanguage } from '../../contract/languages.ts'
import { fieldLabel, languageName } from '../../contract/resource-words.ts'
import type { Shape } from '../../files/print/printed-rows.ts'
import { heading } from '../../files/print/readable.ts'
import { spokenName } from './spoken-name.ts'

/** The headings of columns: in English their paths, in other languages the words of the contract, or those of the English heading. */
export function columnHeading(path: string, shape?: Pick<Shape, 'fields'>): string {
  if (isLanguage(path)) return capitalized(languageName(path))
  if (interfaceLanguage() === 'en') return heading(path)
  const [top = '', ...inner] = path.split('.')
  const label = ownHeadings()[path] ?? wordsOf(top, shape?.fields[top]) ?? spokenName(heading(top))
  return inner.length > 0 && !(path in ownHeadings()) ? `${label}: ${inner.join(' ')}` : label
}

/** The words of a field, if it is in the contract. */
function wordsOf(name: string, field: unknown): string | undefined {
  if (typeof field !== 'object' || field === null || !('words' in field)) return undefined
  return capitalized(fieldLabel(name, field as Parameters<typeof fieldLabel>[1]))
}

/** Columns whose words in the contract are too long for a heading, or that are named by more than their paths. */
export const ownHeadings = (): Readonly<Record<string, string>> => ({
  start_date: phrase('Start date'),
  end_date: phrase('End date'),
  status: phrase('Status'),
  slug: phrase('Slug'),
  parent: phrase('Parent'),
  count: phrase('Events'),
  url: phrase('Page'),
  'venue.city': phrase('City'),
  name: phrase('Name'),
  title: phrase('Title'),
  alt: phrase('Alternative text'),
  'first.id': phrase('First ID'),
  'first.title': phrase('First title'),
  'second.id': phrase('Second ID'),
  'second.title': phrase('Second title'),
  'error.message': phrase('Error'),
  write: phrase('May write'),
  publish: phrase('May publish'),
  editOthers: phrase('May edit others’ records'),
  upload: phrase('May upload'),
  inUse: phrase('In use'),
  baseUrl: phrase('Base URL'),
  'calendar.label': phrase('Calendar'),
  records: phrase('Records'),
  lacks: phrase('Lacks'),
  value: phrase('Group'),
  events: phrase('Events'),
  cancelled: phrase('Cancelled'),
  earlier: phrase('Before'),
  change: phrase('Change'),
  bar: '',
})
