import { isObject } from '../../../base/text/json.ts'
import { listOf } from '../../../base/text/sentence-parts.ts'
import { dayAfter, daysBetween } from '../../../base/time/dates.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { ChangeContext } from '../../../client/change.ts'
import type { Client, Values } from '../../../client/client.ts'
import { asMoved, movedTo } from '../../../client/dates-of-change.ts'
import { isSimilar } from '../../../client/find/slugs.ts'
import type { NameLookup } from '../../../client/name-lookup.ts'
import { resolveCreation } from '../../../client/resolve-change.ts'
import { unmarkedTitle } from '../../../contract/event-status.ts'
import { isNone } from '../../../contract/kinds/kind-values.ts'
import { knownValue, storedValue, writableValues } from '../../../contract/record.ts'
import { type Answer, type Resource, shownFields } from '../../../contract/resource.ts'
import { fieldLabel } from '../../../contract/resource-words.ts'
import type { Plan, Step } from '../plan.ts'
import { SiteReader } from '../site-reader.ts'
import type { BuildContext } from './context.ts'
import { type NamedLines, planEach } from './from-refs.ts'

/**
 * How many days later the same weekday is that is nearest to the same date in another year. Whole weeks, counted once for the first of some
 * events, keep a festival together.
 */
export function daysToYear(day: string, year: number): number {
  const same = `${year}${day.slice(4)}`.replace(/-02-29$/, '-03-01')
  return Math.round(daysBetween(day, same) / 7) * 7
}

/** An event of the calendar that is copied, and what is already there on its new day. */
export interface CopiedEvent {
  readonly event: Answer
  readonly copy: Values
  readonly there: readonly Answer[]
}

/** What an event links to exists, in its own language. */
const linksAsTheyAre: NameLookup = { find: async () => [], resolve: async (_, values) => values }

/** Makes the plan that copies events by a number of days; those whose copy is there already are left out. */
export async function planCopiesOf(context: BuildContext, named: NamedLines, days: number, copying: ChangeContext) {
  const { resource, lines } = named
  const { client } = context
  const hasTranslations = lines.some(({ language }) => language !== undefined)
  const reader = new SiteReader(client)
  const notes = new Set<string>()
  const events: Answer[] = []
  const made = await planEach(
    context,
    reader,
    { ...named, trashed: false, fields: Object.keys(resource.fields) },
    async ({ language }, event) => {
      for (const note of lostInCopy(client, resource, event)) notes.add(note)
      const day = dayAfter(String(event.start_date).slice(0, 10), days)
      const step = await copyStep(resource, event, day, { ...copying, names: linksAsTheyAre })
      const slug = slugOfCopy(event, String(step.values.start_date))
      events.push(event)
      return {
        ...step,
        key: ['events', language, event.id, step.values.start_date].filter(part => part !== undefined).join(' '),
        values: { ...step.values, ...(hasTranslations && slug && { slug }) },
        ...(language && { lang_code: language }),
      }
    },
  )
  const span = spanOf(made)
  const steps: Step[] = []
  const copied: CopiedEvent[] = []
  for (const [index, step] of [...made.steps].entries()) {
    const { lang_code: language, values } = step
    const there = [...(await reader.readList({ resource, language, days: span })).all()].filter(
      ({ start_date: start }) => String(start).slice(0, 10) === String(values.start_date).slice(0, 10),
    )
    const event = events[index]
    if (event && language === undefined) copied.push({ event, copy: values, there })
    if (!there.some(record => isSimilar(resource, values, record))) steps.push(step)
  }
  const same = made.same + made.steps.length - steps.length
  const plan: Plan = { ...made, steps, same, ...(notes.size > 0 && { notes: [...notes] }) }
  return { plan, copied }
}

function spanOf({ steps }: Plan): readonly [string, string] {
  const days = Array.from(steps, ({ values }) => String(values.start_date).slice(0, 10)).toSorted()
  return [days[0] ?? '', days.at(-1) ?? '']
}

/** Translations are recognized by their slug: `concert-2026-08-14` → `concert-2027-08-13`, `fira` → `fira-2027` */
function slugOfCopy({ slug, start_date: start }: Answer, to: string): string | undefined {
  if (typeof slug !== 'string' || slug === '') return undefined
  const [from, day] = [String(start), to].map(wall => wall.slice(0, 10)) as [string, string]
  const dated = slug.replace(from, day)
  return dated === slug ? `${slug.replace(/-\d{4}$/, '')}-${day}` : dated
}

const notCopied = new Set(['slug', 'date', 'date_utc', 'event_status', 'event_status_reason'])

/** Sentences about what a copy does not get: what no API writes, and what the site does not show to this user. */
export function lostInCopy({ calendar }: Client, resource: Resource, event: Answer): string[] {
  const { custom_fields: custom } = event
  const lost = [
    storedValue('post_password', event) ? fieldLabel('post_password', resource.fields.post_password) : [],
    isObject(custom) || (Array.isArray(custom) && custom.length > 0) ? phrase('custom fields') : [],
  ].flat()
  const unknown = shownFields(resource)
    .filter(([name, field]) => !notCopied.has(name) && knownValue(name, field, event) === undefined)
    .map(([name, field]) => fieldLabel(name, field))
  return [
    lost.length > 0 ? phrase('not copied: {fields}', { fields: listOf(lost) }) : [],
    unknown.length > 0
      ? phrase('not copied, because {calendar} does not show it to this user: {fields}', {
          calendar: calendar.label,
          fields: listOf(unknown),
        })
      : [],
  ].flat()
}

/**
 * The step that creates an event again on another day. A copy of an event with a password, or that is not published yet, begins as a draft.
 */
export async function copyStep(resource: Resource, event: Answer, date: string, context: ChangeContext): Promise<Step> {
  const moved = movedTo(event, { moveTo: date, moveOption: '--to' }, context)
  const given = Object.entries(writableValues(resource, event)).filter(([name, value]) => {
    const isEmpty = resource.fields[name]?.kind.shape !== 'flag' && isNone(value)
    return !isEmpty && !notCopied.has(name)
  })
  const values = Object.fromEntries(given)
  const isKept = event.status !== 'future' && !storedValue('post_password', event)
  const copy: Values = {
    ...values,
    ...moved,
    title: unmarkedTitle(String(values.title)),
    status: isKept ? String(event.status) : 'draft',
  }
  return {
    key: `events ${copy.title} ${moved.start_date}`,
    action: 'create',
    resource: 'events',
    values: asMoved(await resolveCreation(resource, copy, context), context),
  }
}
