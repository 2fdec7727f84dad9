import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPrice } from '../../src/contract/price.ts'
import { calendarWithFiles } from '../support/calendar-with-files.ts'
import { isTried, meaningsOf, rowsOf } from './when-verdict.ts'

/** A cell under a heading, and what it means: a value, `yes`, `no`, names with ` / ` between them, or `refused`. */
export interface CellRow {
  readonly heading: string
  readonly text: string
  readonly meaning: string
}

const table = (name: string): string[][] =>
  readFileSync(join(import.meta.dirname, name), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map(line => line.split('\t'))

export const cellRows = (): CellRow[] =>
  table('cells.tsv').map(([heading = '', text = '', meaning = '']) => ({ heading, text, meaning }))

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`

/** What the program makes of a cell in a new event. */
export async function readCellRow({ heading, text }: CellRow): Promise<string> {
  const { calctl, file } = calendarWithFiles()
  const sheet = file('a.csv', `Title,Date,Time,${heading}\nBall,2026-12-05,19:00,${quoted(text)}\n`)
  const { status } = await calctl(`apply ${sheet} --create-missing --yes`)
  if (status !== 0) return 'refused'
  const [event] = JSON.parse((await calctl('events list --all --json')).out)
  const shown: Readonly<Record<string, unknown>> = {
    Featured: event.featured ? 'yes' : 'no',
    Status: event.event_status === 'scheduled' || !event.event_status ? event.status : event.event_status,
    Place: event.venue?.venue,
    Categories: names(event.categories, 'name'),
    Keywords: names(event.tags, 'name'),
    Organizer: names(event.organizer, 'organizer'),
  }
  return String(shown[heading])
}

const names = (links: readonly Readonly<Record<string, string>>[], title: string): string =>
  links.map(link => link[title]).join(' / ')

/** What a page calls the kinds of cells, and a cell that is refused. */
export interface PageWords {
  readonly refused: string
  /** Follows a price of which some sites cannot store all words. */
  readonly orRefused: string
  readonly yes: string
  readonly no: string
  readonly headings: Readonly<Record<string, string>>
}

/** As code of Markdown, in which a text with a backtick stands between two. */
function code(text: string): string {
  const cell = text.replaceAll('|', '\\|')
  return text.includes('`') ? `\`\` ${cell} \`\`` : `\`${cell}\``
}

/** The rows of days and hours as a page has them: those that a file can have. */
export const whenLines = ({ refused }: PageWords): string =>
  rowsOf()
    .filter(row => ['date', 'hour', 'span'].includes(row.kind) && isTried('sheet', row))
    .map(row => `| ${code(row.text)} | ${row.context.replace('day ', '')} | ${meaningsOf(row, refused)} |`)
    .join('\n')

/** Whether a site that stores only amounts refuses a price, with all its words. */
function needsItsWords(text: string): boolean {
  const reading = readPrice(text)
  return 'value' in reading && reading.value.words !== undefined && /\d/.test(text)
}

/** The rows of prices: one amount, the lowest and the highest, words, or several meanings. */
export const priceLines = ({ refused, orRefused }: PageWords): string =>
  table('prices.tsv')
    .map(([, text = '', , , reading = '']) => {
      const read = reading.replace(/^\? /, '').split(' | ')
      const meaning = reading === '!' ? refused : read.map(code).join(', ')
      return `| ${code(text)} | ${meaning}${needsItsWords(text) ? `, ${orRefused}` : ''} |`
    })
    .join('\n')

/** The rows of all other cells. */
export const cellLines = ({ refused, yes, no, headings }: PageWords): string =>
  cellRows()
    .map(({ heading, text, meaning }) => {
      const words: Readonly<Record<string, string>> = { refused, yes, no }
      const read = words[meaning] ?? meaning.split(' / ').map(code).join(', ')
      return `| ${headings[heading]} | ${code(text)} | ${read} |`
    })
    .join('\n')
