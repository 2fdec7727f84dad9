import { capitalized } from '../../base/text/sentence-parts.ts'
import { interfaceLanguage, phrase } from '../../base/words/phrase.ts'
import { isLanguage } from '../../contract/languages.ts'
import { fieldLabel, languageName } from '../../contract/resource-words.ts'
import { heading, type Shape } from '../../files/print/readable.ts'

/** The headings of columns: in English their paths, in other languages the words of the contract, or those below. */
export function columnHeading(path: string, shape?: Pick<Shape, 'fields'>): string {
  const english = heading(path)
  if (isLanguage(path)) return capitalized(languageName(path))
  if (interfaceLanguage() === 'en') return english
  const known = short()
  const [top = '', ...inner] = path.split('.')
  const label = known[path] ?? wordsOf(top, shape?.fields[top]) ?? known[top]
  if (label === undefined) return english
  return known[path] === undefined && inner.length > 0 ? `${label}: ${inner.join(' ')}` : label
}

/** The words of a field, if it is in the contract. */
function wordsOf(name: string, field: unknown): string | undefined {
  if (typeof field !== 'object' || field === null || !('words' in field)) return undefined
  return capitalized(fieldLabel(name, field as Parameters<typeof fieldLabel>[1]))
}

/** Columns that are not in the contract, and those whose words are too long for a heading. */
const short = (): Readonly<Record<string, string>> => ({
  ...ofRecords(),
  ...ofFindings(),
  ...ofProfiles(),
  ...ofRuns(),
})

const ofRecords = () => ({
  start_date: phrase('Start date'),
  end_date: phrase('End date'),
  start: phrase('Start'),
  status: phrase('Status'),
  slug: phrase('Slug'),
  lang_code: phrase('Language'),
  lang: phrase('Language'),
  parent: phrase('Parent'),
  count: phrase('Events'),
  url: phrase('Page'),
  'venue.city': phrase('City'),
  name: phrase('Name'),
  title: phrase('Title'),
  type: phrase('Type'),
  width: phrase('Width'),
  height: phrase('Height'),
  alt: phrase('Alternative text'),
})

/** For plans, rules, checks and duplicates. */
const ofFindings = () => ({
  resource: phrase('Resource'),
  action: phrase('Action'),
  field: phrase('Field'),
  before: phrase('Before'),
  after: phrase('After'),
  state: phrase('State'),
  error: phrase('Error'),
  severity: phrase('Severity'),
  rule: phrase('Rule'),
  message: phrase('Message'),
  suggestion: phrase('Suggestion'),
  finds: phrase('Finds'),
  remedy: phrase('Remedy'),
  check: phrase('Check'),
  found: phrase('Found'),
  next: phrase('Next'),
  problem: phrase('Problem'),
  score: phrase('Score'),
  'left.id': phrase('Left ID'),
  'left.name': phrase('Left name'),
  'right.id': phrase('Right ID'),
  'right.name': phrase('Right name'),
  why: phrase('Why'),
})

const ofProfiles = () => ({
  site: phrase('Site'),
  profile: phrase('Profile'),
  user: phrase('User'),
  roles: phrase('Roles'),
  write: phrase('May write'),
  publish: phrase('May publish'),
  editOthers: phrase('May edit others’ records'),
  upload: phrase('May upload'),
  inUse: phrase('In use'),
  baseUrl: phrase('Base URL'),
  namespace: phrase('Namespace'),
  protected: phrase('Protected'),
})

const ofRuns = () => ({
  run: phrase('Run'),
  command: phrase('Command'),
  started: phrase('Started'),
  steps: phrase('Steps'),
  done: phrase('Done'),
  failed: phrase('Failed'),
  unknown: phrase('Unknown'),
  left: phrase('Left'),
  'calendar.label': phrase('Calendar'),
  what: phrase('What'),
  records: phrase('Records'),
})
