import type { App } from './app.ts'
import type { Answer } from './contract/resource.ts'
import { excluding, Failure } from './failure.ts'
import type { Printing } from './terminal/print.ts'

/** Prints events as an iCalendar file that other calendars read. */
export async function printCalendar(
  app: App,
  resource: Printing['resource'],
  records: Printing['records'],
): Promise<void> {
  if (!('name' in resource) || resource.name !== 'events')
    throw new Failure('usage', '-o ics is for events', { hint: 'take another form, for example: -o json' })
  if (app.globals.fields) throw excluding('-o ics', '--fields')
  const { writeICalendar } = await import('./files/icalendar/write-icalendar.ts')
  const { site } = await app.client()
  const events = Symbol.iterator in records || Symbol.asyncIterator in records ? records : [records]
  for await (const text of writeICalendar(events as AsyncIterable<Answer>, { site, now: app.world.now() }))
    await app.world.stdout.write(text)
}
