import { decodeEntities, sanitize } from '../../../base/text/escaping.ts'
import { isObject } from '../../../base/text/json.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Client } from '../../../client/client.ts'
import { unsaidStatusOf } from '../../../contract/event-status.ts'
import { statusLabel } from '../../../contract/post-status.ts'
import type { Answer, Resource } from '../../../contract/resource.ts'
import { type DayWords, dayEvent, dayWords, statusIn } from '../../../files/print/day-events.ts'
import { decodeNames } from '../../../files/print/printed-rows.ts'
import { readableLine, type Surface } from '../../../files/print/readable.ts'
import type { App } from '../../app.ts'
import { painter, useColor } from '../../terminal/colors.ts'
import { cardText, linesWithin, wrapItems } from '../../terminal/table.ts'
import { contentLanguage } from './language-options.ts'

/** The other languages of a record, if the calendar has several. */
async function translationsOf(app: App, client: Client, resource: Resource, record: Answer): Promise<string> {
  if (client.languages().all.length < 2) return ''
  const { translationsText } = await import('./translations.ts')
  return translationsText(app, client, resource, record)
}

/** Prints a record for people. */
export async function printCard(app: App, client: Client, resource: Resource, record: Answer): Promise<void> {
  const { stdout, env, timeZone } = app.world
  const words = dayWords(contentLanguage(app, client, [record]), env)
  const surface = {
    color: useColor(app.globals.color, env, stdout.isTTY),
    columns: stdout.columns || undefined,
    zone: timeZone(),
  }
  const translations = await translationsOf(app, client, resource, record)
  const text = await recordCard(resource, record, words, { ...surface, translations })
  await app.page(sink => sink.write(text, 'painted'))
}

/** In columns: longer lines are hard to read. */
const widestText = 100

interface CardSurface extends Surface {
  readonly translations: string
}

type Fact = readonly [label: string, value: string]

/** A record for people: its title, what they want to know about it, and its description as text. */
async function recordCard(resource: Resource, answer: Answer, words: DayWords, surface: CardSurface): Promise<string> {
  const paint = painter(surface.color)
  const record = decodeNames(answer) as Answer
  const status = readableLine(record, 'status')
  const eventStatus = resource.name === 'events' ? unsaidStatusOf(answer) : undefined
  const marks = [
    status === '' || status === 'publish' ? [] : paint.cell('status', statusLabel(status)),
    eventStatus === undefined ? [] : statusIn(words.language, eventStatus),
  ].flat()
  const mark = marks.length > 0 ? ` (${marks.join(', ')})` : ''
  const title = readableLine(record, resource.title)
  const heading = linesWithin(title, surface.columns ?? title.length + 1)
    .map(line => paint.heading(line))
    .join('\n')
  const others: Fact = [phrase('Translations'), surface.translations]
  const facts = [...factsOf(resource, record, words, surface.zone), others].filter(([, value]) => value !== '')
  const columns = Math.min(surface.columns ?? widestText, widestText)
  const description = typeof record.description === 'string' ? await htmlText(record.description) : ''
  return [
    `${heading}${mark}\n\n`,
    cardText(facts, surface),
    ...(description === '' ? [] : [`\n${wrapItems(description, columns)}\n`]),
  ].join('')
}

/** What people want to know about a record, in the order in which it is shown; a record has only some of it. */
function factsOf(resource: Resource, record: Answer, words: DayWords, zone: string | undefined): Fact[] {
  const isEvent = resource.name === 'events'
  const field = (label: string, path: string): Fact => [label, readableLine(record, path)]
  return [
    [phrase('When'), isEvent ? whenOf(record, words, zone) : ''],
    [phrase('Where'), whereOf(record.venue)],
    [phrase('Address'), addressOf(record)],
    field(phrase('Reason'), 'event_status_reason'),
    field(phrase('Cost'), 'cost'),
    field(phrase('Categories'), 'categories'),
    field(phrase('Tags'), 'tags'),
    [phrase('Organizer'), isEvent ? readableLine(record, 'organizer') : ''],
    field(phrase('Phone'), 'phone'),
    field(phrase('Email'), 'email'),
    // For an event without a website, sites answer the page of the event.
    [phrase('Website'), record.website === record.url ? '' : readableLine(record, 'website')],
    field(phrase('Events'), 'count'),
    [phrase('Parent'), record.parent ? readableLine(record, 'parent') : ''],
    ['ID', idOf(record)],
    field(phrase('Page'), 'url'),
  ]
}

function idOf(record: Answer): string {
  const slug = readableLine(record, 'slug')
  return slug === '' ? String(record.id) : `${record.id} (${slug})`
}

function whenOf(record: Answer, words: DayWords, zone: string | undefined): string {
  const event = dayEvent(record, zone)
  return event ? words.when(event) : readableLine(record, 'start_date')
}

const whereOf = (venue: unknown): string => (isObject(venue) ? partsOf(venue, ['venue', 'address', 'city']) : '')

const addressOf = (venue: Answer): string => partsOf(venue, ['address', 'zip', 'city', 'province', 'state', 'country'])

/** The values of some fields in order, each once: sites repeat a province as a state. */
const partsOf = (record: Record<string, unknown>, paths: readonly string[]): string =>
  [...new Set(paths.map(path => readableLine(record, path)).filter(part => part !== ''))].join(', ')

/** No page is nested more deeply; what is deeper is left out. */
const deepest = 100

/** HTML as text: paragraphs, lists, links with their addresses, no images. Lines are not wrapped. */
async function htmlText(html: string): Promise<string> {
  // A text that is not HTML keeps its lines.
  if (!/<[a-z!/]/i.test(html)) return sanitize(decodeEntities(html)).trim()
  const { convert } = await import('../../../base/text/html.lib.ts')
  const text = convert(html, {
    wordwrap: false,
    limits: { maxDepth: deepest },
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['<', '>'] } },
      { selector: 'img', format: 'skip' },
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(selector => ({
        selector,
        options: { uppercase: false, leadingLineBreaks: 2, trailingLineBreaks: 1 },
      })),
    ],
  })
  return sanitize(text).replace(/^\n+|\s+$/g, '')
}
