import type { Command } from 'commander'
import { foldText } from '../../base/text/folding.ts'
import { tellingWords, typos } from '../../base/text/similarity.ts'
import { phrase } from '../../base/words/phrase.ts'
import { resources } from '../../contract/contract.ts'
import { allDates, dateFilterNames } from '../../contract/filter.ts'
import { type Answer, emptyToo, titleOf } from '../../contract/resource.ts'
import type { Row } from '../../files/print/printed-rows.ts'
import type { App } from '../app.ts'
import { type VerbContext, wholeNumber } from './shared/options.ts'
import { declareOutput, isShownAsTable, rowsOutput } from './shared/output-forms.ts'
import { foundShape } from './shared/output-shapes.ts'

/** How many records of each resource are shown by default. */
const usualLimit = 20

/** calctl find: the records of all resources that contain a text, including past events. */
export function find(command: Command, app: App): void {
  declareOutput(command, rowsOutput(foundShape))
  command
    .argument('<text...>', phrase('Words in titles, names and descriptions'))
    .option(
      '--limit <number>',
      phrase('Maximum number to show of each kind (default: {count})', { count: usualLimit }),
      wholeNumber('--limit', 1),
    )
    .action(async (words: string[], { limit = usualLimit }: { readonly limit?: number }) => {
      const text = words.join(' ')
      const client = await app.client()
      const rows: Row[] = []
      let hidden = 0
      let isComplete = true
      for (const resource of resources) {
        const { found, total } = await foundIn({ app, client, resource }, text, limit)
        const unlisted = await hiddenIn({ app, client, resource }, text, found)
        isComplete &&= unlisted !== undefined
        rows.push(...found, ...(unlisted ?? []).slice(0, Math.max(0, limit - found.length)))
        hidden += Math.max(0, total - found.length)
      }
      // A program is given only what contains the text: it may change what it is given.
      const similar = isShownAsTable(app) ? await similarBeside({ app, client }, text, limit, rows) : []
      await app.print(foundShape, [...rows, ...similar])
      if (!isComplete)
        await app.notice(
          phrase('{calendar} does not show hidden events: not searched', { calendar: client.calendar.label }),
        )
      const said = saidOf(text, rows.length, similar.length)
      if (said !== undefined) return app.notice(said)
      if (hidden > 0)
        await app.notice(
          phrase('{count, plural, one {# more is} other {# more are}} not shown; add --limit', { count: hidden }),
        )
    })
}

/** What is said if nothing matches, or something similar is listed, too. */
function saidOf(text: string, found: number, count: number): string | undefined {
  if (count > 0 && found > 0)
    return phrase('{count, plural, one {the last one is} other {the last # are}} similar', { count })
  if (count > 0) return phrase('no records match "{text}"; these are similar', { text })
  return found > 0 ? undefined : phrase('no records match "{text}"; try one word, or its beginning', { text })
}

type Searching = Omit<VerbContext, 'resource'>

/** Similar records, unless an event has the text in its title: `concerts` is a category, and not all that is meant. */
async function similarBeside(searching: Searching, text: string, limit: number, rows: readonly Row[]): Promise<Row[]> {
  const folded = foldText(text)
  if (rows.some(row => row.resource === 'events' && foldText(String(row.title)).includes(folded))) return []
  const similar = await similarIn(searching, text, limit)
  return similar.filter(one => !rows.some(row => row.id === one.id && row.resource === one.resource))
}

/** The most records of which the similar ones are chosen. */
const mostCompared = 200

/** Records with a title in which a word is like the longest word of the text: `hostaleria` finds *L’hostalera*. */
async function similarIn({ app, client }: Searching, text: string, limit: number): Promise<Row[]> {
  const [word = ''] = tellingWords(foldText(text)).toSorted((one, other) => other.length - one.length)
  const half = Math.floor(word.length / 2)
  if (half < 3) return []
  const similar = new Map<string, Row>()
  for (const resource of resources)
    for (const part of [word.slice(0, half), word.slice(-half)]) {
      const { found } = await foundIn({ app, client, resource }, part, mostCompared)
      for (const row of found)
        if (tellingWords(foldText(String(row.title))).some(other => isLike(word, other)))
          similar.set(`${row.resource} ${row.id}`, row)
    }
  return [...similar.values()].slice(0, limit)
}

/** Whether a word is another form of one, or is mistyped. */
function isLike(word: string, other: string): boolean {
  const stem = word.slice(0, Math.max(5, Math.ceil(word.length * 0.7)))
  return other.startsWith(stem) || typos(word, other) <= (word.length < 8 ? 1 : 2)
}

/** The records that lists leave out; undefined if the site does not show them. */
async function hiddenIn(context: VerbContext, text: string, found: readonly Row[]): Promise<Row[] | undefined> {
  const { client, resource } = context
  const { storedWithText } = await import('../../client/adapters/hidden-records.ts')
  const { languagesToRead } = await import('../../client/languages/known-languages.ts')
  const stored = await storedWithText(client, resource, text)
  let hidden = stored?.filter(({ id }) => !found.some(row => row.id === id)) ?? []
  // A site stores the translations of an event among the events.
  for (const language of hidden.length > 0 ? await languagesToRead(client) : []) {
    const listed = await foundIn(context, text, mostCompared, language)
    hidden = hidden.filter(({ id }) => !listed.found.some(row => row.id === id))
  }
  return stored && hidden.map(record => rowOf(context, record))
}

const rowOf = ({ resource }: VerbContext, record: Answer): Row => ({
  resource: resource.name,
  id: record.id,
  title: titleOf(resource, record),
  start_date: record.start_date ?? '',
  ...(record.all_day === true && { all_day: true }),
  status: record.status ?? '',
})

async function foundIn(context: VerbContext, text: string, limit: number, language?: string) {
  const { client, resource } = context
  const dates = dateFilterNames(resource.filters).length > 0 ? allDates : {}
  const query = { search: text, per_page: Math.min(limit, 50), lang_code: language, ...dates, ...emptyToo(resource) }
  const found: Row[] = []
  let total = 0
  for await (const page of client.pages(resource, query, limit)) {
    total = page.total
    for (const record of page.records.slice(0, limit - found.length)) found.push(rowOf(context, record))
    if (found.length >= limit) break
  }
  return { found, total }
}
