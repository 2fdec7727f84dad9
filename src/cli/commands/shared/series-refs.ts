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
import { namedRefs, type SeriesOptions, seriesOption } from './refs.ts'

const resource = resourceNamed('events')

/** The events of the series of one that is named, or those from this one on; says how many they are. */
export async function eventsOfSeries(app: App, texts: readonly string[], options: SeriesOptions) {
  const client = await app.client({ toPlan: true })
  const [ref = { id: 0 }] = await namedRefs({ app, client, resource }, texts, options.bySlug)
  const event = await client.get(resource, ref)
  const found = await seriesOf(client, event, app.globals.demo ? undefined : runsFolder(app.world))
  const option = seriesOption(options)
  if (found.events.length < 2)
    throw usage(
      phrase('{event} is not part of a series', { event: recordName(resource, { record: event }) }),
      option === undefined
        ? forExample(`calctl events list --all-dates --search ${shellWord(String(event.title))}`)
        : phrase('to change this event alone, leave out {option}', { option }),
    )
  for (const notice of noticesOf(found)) await app.notice(notice)
  const isChosen = (one: Answer) => !options.fromHere || String(one.start_date) >= String(event.start_date)
  return { event, events: found.events.filter(isChosen) }
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
