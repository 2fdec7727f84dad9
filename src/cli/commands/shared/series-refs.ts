import { forExample, usage } from '../../../base/failure.ts'
import { shellWord } from '../../../base/text/escaping.ts'
import { listOfFirst } from '../../../base/text/sentence-parts.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { type EventSeries, seriesOf } from '../../../changes/run/event-series.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import type { Answer } from '../../../contract/resource.ts'
import { recordInFull, recordName } from '../../../files/print/record-names.ts'
import type { App } from '../../app.ts'
import { runsFolder } from '../../profiles/user-folders.ts'
import type { ManyOptions } from './plan-from-refs.ts'
import { namedRefs, seriesOption } from './refs.ts'
import type { SelectedRefs } from './select-refs.ts'

const resource = resourceNamed('events')

/** The events of the series of one that is named, or those from this one on. */
export async function seriesRefs(app: App, texts: readonly string[], options: ManyOptions): Promise<SelectedRefs> {
  const events = await eventsOfSeries(app, texts, options)
  return { lines: events.map(({ id }) => ({ ref: { id } })) }
}

/** The same as records; says how many they are. */
export async function eventsOfSeries(app: App, texts: readonly string[], options: ManyOptions): Promise<Answer[]> {
  const client = await app.client({ toPlan: true })
  const [ref] = await namedRefs({ app, client, resource }, texts, options.bySlug)
  if (!ref) return []
  const event = await client.get(resource, ref)
  const found = await seriesOf(client, event, app.globals.demo ? undefined : runsFolder(app.world))
  if (found.events.length < 2)
    throw usage(
      phrase('{event} is not part of a series', { event: recordName(resource, { record: event }) }),
      seriesOption({ ...options }) === undefined
        ? forExample(`calctl events list --all-dates --search ${shellWord(String(event.title))}`)
        : phrase('to change this event alone, leave out {option}', { option: seriesOption({ ...options }) ?? '' }),
    )
  for (const notice of noticesOf(found)) await app.notice(notice)
  return found.events.filter(one => !options.fromHere || String(one.start_date) >= String(event.start_date))
}

function noticesOf({ events, gone, different }: EventSeries): string[] {
  const [first = '', last = ''] = [events.at(0), events.at(-1)].map(event => String(event?.start_date).slice(0, 10))
  const names = different.map(record => recordInFull(resource, { record, year: first.slice(0, 4) }))
  return [
    phrase('the series has {count} events, from {first} to {last}', { count: events.length, first, last }),
    names.length > 0 ? phrase('with another title or hour: {events}', { events: listOfFirst(names, 5) }) : [],
    gone > 0
      ? phrase('{count, plural, one {# other was} other {# others were}} removed before, and stay so', { count: gone })
      : [],
  ].flat()
}
