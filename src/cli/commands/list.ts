import { asFailure, excluding, Failure, usage } from '../../base/failure.ts'
import { asOption } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Client, Page, Values } from '../../client/client.ts'
import type { Selection } from '../../client/selection/criteria.ts'
import type { ResourceName } from '../../contract/field.ts'
import { dateFilterNames, largestPage, paging } from '../../contract/filter.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { App } from '../app.ts'
import { checkFiltersOfAll, clientToRead, shapeToRead } from './shared/all-languages.ts'
import { readCriteria, withAllDates } from './shared/chosen-criteria.ts'
import { allDatesOption, type CriteriaOptions, criteriaGiven, criteriaOptions } from './shared/criteria-options.ts'
import {
  addFieldOption,
  daysArgument,
  daysWords,
  typedValues,
  type Verb,
  type VerbContext,
  verbCommand,
  wholeNumber,
  withDays,
} from './shared/options.ts'
import { asksForApart, declareOutput, isShownAsTable, readRecordsOutput } from './shared/output-forms.ts'
import type { FeedEvents } from './shared/public-events.ts'

interface ExtentOptions extends CriteriaOptions {
  readonly sort?: string
  readonly limit?: number
  readonly all?: true
}

/** calctl <resource> list: one page as the API returns it, or with --limit and --all the records of several pages. */
export const list: Verb = (parent, resource, app) => {
  const description = phrase('List {resource}, one page unless --limit or --all is given', { resource: resource.name })
  const command = verbCommand(parent, resource, 'list', description)
  const parameters = [...Object.entries(paging), ...Object.entries(resource.filters)]
  if (resource.name === 'events') daysArgument(command)
  criteriaOptions(command, [resource])
  for (const [name, filter] of Object.entries(resource.filters)) addFieldOption(command, name, filter)
  command.optionsGroup('Selection:')
  for (const [name, parameter] of Object.entries(paging)) addFieldOption(command, name, parameter)
  command
    .option('--limit <number>', phrase('Maximum number to list, across pages'), wholeNumber('--limit', 1))
    .option('--all', phrase('List all pages'))
    .option('--sort <fields>', phrase('Sort all matches by these fields, for example cost or start_date:desc'))
  allDatesOption(command, resource)
  declareOutput(command, (_, options) => ({
    ...readRecordsOutput(resource),
    otherwise: { xlsx: ['calctl export', resource.name, ...daysWords(options, command.args), '-o xlsx'].join(' ') },
  }))
  command.action(async () => {
    const options = withDays(command.opts<ExtentOptions & Values>(), command.args)
    if (options.limit && options.all) throw excluding('--limit', '--all')
    const values = await typedValues(parameters, options)
    checkPage(values, options)
    const filters = withAllDates(resource, values, options)
    checkRequired(resource, filters)
    checkFiltersOfAll(app, resource, filters)
    const client = await clientToRead(app)
    const context = { app, client, resource }
    const selection = await selectionOf(context, filters, options)
    await (options.all || options.limit || options.sort !== undefined || selection.matches
      ? showMany(context, selection, options)
      : showPage(context, selection.filters))
  })
}

/** Refuses `--page` with options that calctl applies itself, because these read as many pages as they need. */
function checkPage({ page, per_page: perPage }: Values, options: ExtentOptions): void {
  if (page !== undefined && options.all) throw excluding('--page', '--all')
  const criterion = criteriaGiven(options)[0] ?? (options.sort === undefined ? undefined : '--sort')
  if (criterion && page !== undefined) throw excluding(criterion, '--page')
  if (criterion && perPage !== undefined)
    throw usage(
      phrase('{criterion} lists all matches, not a page of them', { criterion }),
      phrase('use --limit instead of --per-page'),
    )
}

/** The records that the filters and all other criteria select. */
async function selectionOf(context: VerbContext, filters: Values, options: ExtentOptions): Promise<Selection> {
  const { app, client, resource } = context
  const criteria = await readCriteria(app, client, { resources: [resource], filters, options })
  if (criteria.filters === filters) return { filters }
  const { select } = await import('../../client/selection/criteria.ts')
  const { page, per_page } = filters
  const selection = await select(client, resource, criteria)
  return {
    ...selection,
    filters: { ...selection.filters, ...(page !== undefined && { page }), ...(per_page !== undefined && { per_page }) },
  }
}

function checkRequired(resource: Resource, values: Values): void {
  for (const [name, filter] of Object.entries(resource.filters))
    if (filter.requires && values[name] !== undefined && values[filter.requires] === undefined)
      throw usage(
        phrase('{option} requires {option2}', { option: asOption(name), option2: asOption(filter.requires) }),
        phrase('add: {option}', { option: asOption(filter.requires) }),
      )
}

async function showPage(context: VerbContext, filters: Values): Promise<void> {
  const { app, client, resource } = context
  const feed = await feedFor(context, filters)
  const page = await client.list(resource, { ...filters, ...feed?.query })
  const records = await shownRecords(context, (await feed?.of(page.records)) ?? page.records)
  await app.print(shapeToRead(app, resource), records, { total: page.total })
  await feed?.noticeOmitted(app)
  const { page: number = 1 } = filters
  if (page.records.length === 0 && Number(number) > 1)
    return app.notice(phrase('no page {number}', { number: String(number) }))
  if (page.records.length === 0) return noticeNone(context, filters)
  await noticeMore(app, page.records.length, page.total)
}

/**
 * Records as the requested format shows them: tables and feeds show which events do not take place, and other formats if `--fields` asks
 * for it.
 */
async function shownRecords({ app, client, resource }: VerbContext, records: readonly Answer[]) {
  const isTable = isShownAsTable(app)
  const isAsked = asksForApart(app, resource)
  if (!isTable && !isAsked && app.output !== 'ics') return records
  const { withEventStatuses } = await import('../../client/adapters/event-statuses.ts')
  const known = await withEventStatuses(client, resource, records)
  return isTable && !isAsked ? known.map(withShownStatus) : known
}

/** The publication status of an event and whether it takes place, in the single column of a table. */
function withShownStatus(record: Answer): Answer {
  const { status, event_status: eventStatus } = record
  if (!eventStatus) return record
  return { ...record, status: status === 'publish' ? eventStatus : `${status}, ${eventStatus}` }
}

/** The events of a feed: public ones, unless a status was asked for. */
async function feedFor({ app, client, resource }: VerbContext, { status }: Values): Promise<FeedEvents | undefined> {
  if (app.output !== 'ics') return undefined
  const { createAllEvents, createPublicOnly } = await import('./shared/public-events.ts')
  return status === undefined ? createPublicOnly(resource) : createAllEvents(client)
}

async function showMany(context: VerbContext, selection: Selection, options: ExtentOptions): Promise<void> {
  const { app, client, resource } = context
  const { limit = Number.POSITIVE_INFINITY, sort } = options
  const { matches, filters } = selection
  const perPage = matches || sort !== undefined ? largestPage : Math.min(limit, largestPage)
  const feed = await feedFor(context, filters)
  const query = (own: Values): Values => ({ per_page: perPage, ...own, ...feed?.query })
  const found = matches
    ? (await import('../../client/selection/criteria.ts')).selectedPages(client, resource, selection, query)
    : client.pages(resource, query(filters), sort === undefined ? limit : undefined)
  const pages = sort === undefined ? found : await sortedBy(sort, resource, found)
  let shown = 0
  let total = 0
  async function* records(): AsyncGenerator<Answer> {
    for await (const page of pages) {
      total = page.total
      const shownOfPage = page.records.slice(0, limit - shown)
      shown += shownOfPage.length
      yield* await shownRecords(context, (await feed?.of(shownOfPage)) ?? shownOfPage)
      if (shown >= limit) return
    }
  }
  // The total of records that are checked here is unknown.
  await app.print(shapeToRead(app, resource), records(), matches || sort !== undefined ? {} : { total: () => total })
  await feed?.noticeOmitted(app)
  if (shown >= limit && matches && sort === undefined)
    await app.notice(phrase('showing the first {shown}; to list all matches, leave out --limit', { shown }))
  else if (shown >= limit) await noticeMore(app, shown, total)
  if (shown === 0) await noticeNone(context, filters, matches === undefined)
}

async function sortedBy(text: string, resource: Resource, pages: AsyncIterable<Page>): Promise<AsyncIterable<Page>> {
  const { readSortKeys, sortPages } = await import('../../client/selection/matcher.ts')
  const { pathCalled } = await import('./shared/spoken-fields.ts')
  const keys = readSortKeys(text, resource, name => pathCalled(name, [resource]))
  return sortPages(pages, keys)
}

async function noticeMore(app: App, shown: number, total: Page['total']): Promise<void> {
  if (shown < total && app.globals.output !== 'count')
    await app.notice(phrase('showing {shown} of {total}; add --all to list all', { shown, total }))
}

/**
 * Says on a terminal that a list is empty, and what the defaults left out, which takes at most one request. If conditions are checked here,
 * the service cannot count the rest.
 */
async function noticeNone({ app, client, resource }: VerbContext, filters: Values, canCount = true): Promise<void> {
  if (!isShownAsTable(app) || app.globals.quiet) return
  const hidden = canCount ? hiddenBy(resource, filters) : undefined
  const count = hidden ? await countOf(client, resource, { ...filters, ...hidden.filters }) : 0
  await app.notice(hidden && count > 0 ? hidden.sentence(count) : nothingFound(resource.name, filters))
}

function nothingFound(resource: ResourceName, filters: Values): string {
  const isFiltered = Object.values(filters).some(value => value !== undefined)
  const command = isFiltered ? `calctl ${resource} list` : `calctl ${resource} create`
  return isFiltered
    ? phrase('no {resource} found; leave out a filter, or list the others with: {command}', { resource, command })
    : phrase('no {resource} found; create one with: {command}', { resource, command })
}

/** What a list leaves out by default: a filter to count it, and a sentence on how to list it. */
function hiddenBy(resource: Resource, filters: Values) {
  const { name, singular } = resource
  const dateFilters = dateFilterNames(resource.filters)
  if (dateFilters.length > 0 && dateFilters.every(filter => filters[filter] === undefined))
    return {
      filters: { starts_before: 'yesterday' },
      sentence: (count: number) =>
        phrase('no {resource} found from today on; {count} before: add --all-dates', { resource: name, count }),
    }
  if ('hide_empty' in resource.filters && filters.hide_empty === undefined)
    return {
      filters: { hide_empty: false },
      sentence: (count: number) =>
        phrase(
          'no {resource} found; {count, plural, one {# empty {record} is} other {# empty {resource} are}} hidden: add --no-hide-empty',
          { resource: name, record: singular, count },
        ),
    }
  return undefined
}

/** Counts records for a hint; none if the site refuses. */
async function countOf(client: Client, resource: Resource, filters: Values): Promise<number> {
  const page = await client.list(resource, { ...filters, page: 1, per_page: 1 }).catch(asFailure)
  return page instanceof Failure ? 0 : page.total
}
