/**
 * calctl events duplicate: one event on other days, or events that are selected, such as last year's festival, in another year. Input: refs or
 * criteria, and days. Output: one run of creates, shown before as a table of old and new days.
 */

import { excluding, forExample, usage } from '../../base/failure.ts'
import { listOfFirst } from '../../base/text/sentence-parts.ts'
import { foldWords } from '../../base/time/calendar-words.ts'
import { daysBetween } from '../../base/time/dates.ts'
import { phrase } from '../../base/words/phrase.ts'
import { createPlan } from '../../changes/plan/making/context.ts'
import type { CopiedEvent } from '../../changes/plan/making/copied-events.ts'
import type { Step } from '../../changes/plan/plan.ts'
import type { Client } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { type Answer, quoted, titleOf } from '../../contract/resource.ts'
import { shortDate } from '../../files/print/record-names.ts'
import type { App } from '../app.ts'
import { readNewDate, spanIn, takeNewDate } from './event-verbs.ts'
import { applyPlan } from './shared/apply-plan.ts'
import { buildContext } from './shared/build-context.ts'
import { changeContext } from './shared/change-context.ts'
import { matchOption } from './shared/language-options.ts'
import { type Verb, verbCommand } from './shared/options.ts'
import { declareOutput, writeOutput } from './shared/output-forms.ts'
import { type ChosenLines, carryOutFor, chosenLines, clientFor, type ManyOptions } from './shared/plan-from-refs.ts'
import { planOptions } from './shared/plan-options.ts'
import { refsArgument } from './shared/ref-arguments.ts'
import { areMany, namedRefs, type RefChoice, selectingOptions } from './shared/refs.ts'

interface DuplicateOptions extends ManyOptions {
  readonly to?: string
  readonly fromDate?: string
}

/** calctl events duplicate: the same event on other days, or selected events in another year. */
export const duplicate: Verb = (parent, resource, app) => {
  if (resource.name !== 'events') return
  const selecting = { resource, taken: ['to'] }
  const description = phrase('Create the same event on other days, or selected events in another year')
  const command = refsArgument(verbCommand(parent, resource, 'duplicate', description), resource, 'stdin')
  matchOption(command.optionsGroup('Translations:'))
    .option('--no-all-languages', phrase('Do not copy the translations'))
    .optionsGroup('Changes:')
    .option(
      '--to <dates>',
      phrase('The days, or days and times, with commas between them; or a year: the same weekdays'),
    )
    .option('--from-date <date>', phrase('With --to DATE: move all by the days between these two dates'))
  selectingOptions(command, selecting)
  planOptions(command)
  declareOutput(command, writeOutput(resource))
  command.action(async (texts: string[], given: DuplicateOptions & Record<string, unknown>) => {
    const isLastDate = given.to === undefined && (texts.length > 1 || areMany(selecting, texts, given))
    const typed = isLastDate ? await takeNewDate(app, texts, 1) : given.to
    const isNextYear = nextYear.test(foldWords(typed ?? ''))
    const options = { ...given, to: isNextYear ? `${app.world.now().getFullYear() + 1}` : typed }
    const choice = { selecting, texts, options }
    const isSelection = areMany(selecting, texts, options) || texts.length > 1
    const isShifted = options.fromDate !== undefined || isYear(options.to)
    if (isSelection || isShifted) return duplicateAll(app, choice)
    await duplicateOne(app, choice)
  })
}

const nextYear = /^(?:next year|(?:l'|el )?(?:any|ano) (?:que ve|que viene|vinent)|(?:el )?(?:proper any|proximo ano))$/

const isYear = (text = ''): boolean => /^\s*\d{4}\s*$/.test(text)

async function duplicateOne(app: App, { selecting, texts, options }: RefChoice<DuplicateOptions>): Promise<void> {
  const { resource } = selecting
  const dates = (options.to ?? '').split(/[,;]/).flatMap(date => date.trim() || [])
  if (dates.length === 0) throw usage(phrase('no date given'), 'calctl events duplicate 12 --to 2026-12-12')
  const client = await clientFor(app, options)
  const [ref] = await namedRefs({ app, client, resource }, texts, options.bySlug)
  if (!ref) return
  for (const date of dates) spanIn(await readNewDate(app, client, date), '--to')
  const event = await client.get(resource, ref)
  const { withRawValues } = await import('../../client/adapters/stored-records.ts')
  const { copyStep, lostInCopy } = await import('../../changes/plan/making/copied-events.ts')
  const [stored = event] = await withRawValues(client, resource, [event])
  for (const notice of lostInCopy(client, resource, stored)) await app.notice(notice)
  const context = await changeContext(app, client, { isCopy: true })
  const steps: Step[] = []
  for (const date of dates) steps.push(await copyStep(resource, stored, date, context))
  const items = steps.map(({ key }) => key)
  const plan = createPlan({ client, now: app.world.now() }, { steps, same: 0, invalid: [] })
  await applyPlan(app, plan, options, { named: { resource, items } })
}

/** Copies events by one number of days, with their translations. */
async function duplicateAll(app: App, choice: RefChoice<DuplicateOptions>): Promise<void> {
  const { options } = choice
  const client = await clientFor(app, options)
  // Asks for the languages if nothing has told them yet.
  await (await import('../../client/languages/known-languages.ts')).languagesToRead(client)
  const { mayHaveTranslations } = await import('./shared/translations.ts')
  const inAll = options.allLanguages && mayHaveTranslations(client)
  const chosen = await chosenLines(app, { ...choice, options: { ...options, allLanguages: inAll === true } })
  const { planCopiesOf } = await import('../../changes/plan/making/copied-events.ts')
  const days = await daysLater(app, client, chosen, options)
  const copying = await changeContext(app, client, { isCopy: true })
  const { plan, copied } = await planCopiesOf(await buildContext(app), { ...chosen, isNamed: false }, days, copying)
  await sayCopies(app, copied)
  await carryOutFor(app, { plan, chosen: { ...chosen, isNamed: false, isInLanguages: true }, options })
}

/** How many days later the copies are; throws `usage` if they would be where the events are. */
async function daysLater(app: App, client: Client, chosen: ChosenLines, options: DuplicateOptions): Promise<number> {
  const { to = '', fromDate } = options
  const example = forExample('calctl events duplicate --month 2026-08 --to 2027')
  const dayOf = async (text: string, option: string) =>
    spanIn(await readNewDate(app, client, text), option).from.slice(0, 10)
  if (fromDate !== undefined) {
    if (isYear(to)) throw excluding('--from-date', `--to ${to}`)
    const days = daysBetween(await dayOf(fromDate, '--from-date'), await dayOf(to, '--to'))
    if (days === 0) throw usage(phrase('--from-date and --to are the same day'), example)
    return days
  }
  if (!isYear(to))
    throw usage(phrase('several events are copied to another year, or by the days between two dates'), example)
  const { daysToYear } = await import('../../changes/plan/making/copied-events.ts')
  const first = await firstDay(client, chosen)
  if (first?.slice(0, 4) === to.trim())
    throw usage(phrase('these events are in {year} already', { year: to.trim() }), example)
  return first === undefined ? 0 : daysToYear(first, Number(to))
}

async function firstDay(client: Client, { resource, lines }: ChosenLines): Promise<string | undefined> {
  const { SiteReader } = await import('../../changes/plan/site-reader.ts')
  const { readNamedRecords } = await import('../../changes/plan/making/from-refs.ts')
  const own = lines.filter(({ language }) => language === undefined || language === client.language)
  const find = await readNamedRecords(new SiteReader(client), { resource }, own, own.length)
  const starts = own.flatMap(({ ref }) => find(ref)?.start_date ?? [])
  return starts.map(start => String(start).slice(0, 10)).toSorted()[0]
}

const events = resourceNamed('events')

const nameOf = (event: Answer): string => quoted(titleOf(events, event))

/** Shows the old and the new day of each event, and what is there already. */
async function sayCopies(app: App, copied: readonly CopiedEvent[]): Promise<void> {
  if (app.globals.quiet || app.output === 'json' || copied.length === 0) return
  const { alignRows } = await import('../terminal/table.ts')
  const rows = copied.map(({ event, copy, there }) => [
    ...[event, copy].map(({ start_date: start }) => shortDate(String(start), undefined, true)),
    titleOf(events, event),
    listOfFirst(there.map(nameOf), 2),
  ])
  const headings = [phrase('Old day'), phrase('New day'), phrase('Event'), phrase('There already')]
  await app.world.stderr.write(alignRows([headings, ...rows]))
}
