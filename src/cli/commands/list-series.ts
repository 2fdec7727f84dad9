import { phrase } from '../../base/words/phrase.ts'
import { type Verb, verbCommand } from './shared/options.ts'
import { declareOutput, readRecordsOutput } from './shared/output-forms.ts'
import { refsArgument } from './shared/ref-arguments.ts'
import type { SeriesOptions } from './shared/refs.ts'

/** calctl events series <ref>: the events that were made together with this one. */
export const listSeries: Verb = (parent, resource, app) => {
  if (resource.name !== 'events') return
  const command = verbCommand(parent, resource, 'series', phrase('List the events of the series of an event'))
  declareOutput(refsArgument(command, resource, 'one'), readRecordsOutput(resource))
  command.action(async (ref: string, options: SeriesOptions) => {
    const { eventsOfSeries } = await import('./shared/series-refs.ts')
    const { events } = await eventsOfSeries(app, [ref], options)
    await app.print(resource, events, { total: events.length })
  })
}
