import { resolve } from 'node:path'
import type { Command } from 'commander'
import { excluding } from '../../../base/failure.ts'
import type { Values } from '../../../client/client.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import { dateFilterNames } from '../../../contract/filter.ts'
import type { App } from '../../app.ts'
import { type CriteriaOptions, conditionOptions } from './criteria-options.ts'
import { addFieldOption } from './options.ts'
import { declareOutput, readRecordsOutput } from './output-forms.ts'

const events = resourceNamed('events')

/** The days of a calendar are chosen as a whole: the filters of the API by dates would contradict them. */
const dateFilters = new Set([...dateFilterNames(events.filters), 'strict_dates'])

/** The filters of `agenda` and `month`; not those that make sense only together. */
export const calendarFilters = Object.entries(events.filters).filter(
  ([name, { requires }]) => !dateFilters.has(name) && !requires,
)

/** The records of a list. A feed is what `events list` is for: it has more options. */
const listed = readRecordsOutput(events)
const output = { ...listed, forms: listed.forms.filter(form => form !== 'ics') }

export interface CalendarOptions extends Values, Pick<CriteriaOptions, 'where' | 'modifiedAfter'> {
  readonly html?: string
}

/** The options of `agenda` and `month`: filters of events, and a sheet to print. */
export function calendarOptions(command: Command, addDays: (command: Command) => void = () => {}): Command {
  command.optionsGroup('Filters:')
  addDays(command)
  conditionOptions(command, [events])
  for (const [name, filter] of calendarFilters) addFieldOption(command, name, filter)
  command
    .optionsGroup('Output:')
    .option('--html <file>', 'Write a sheet to print, in the language of the content (- for stdout)')
  return declareOutput(command, output)
}

/** Whether a calendar is drawn for people, not printed as records. */
export const isDrawn = ({ output, globals }: App): boolean => output === undefined && globals.fields === undefined

/** The file for a sheet, if one is asked for. Throws `usage` if it cannot be written, or if that would overwrite what is no sheet. */
export async function sheetFile(app: App, { html }: CalendarOptions): Promise<string | undefined> {
  if (html === undefined) return undefined
  if (!isDrawn(app)) throw excluding('--html', app.output === undefined ? '--fields' : `-o ${app.output}`)
  if (html === '-') return html
  const { checkOwn, checkWritable, startOf } = await import('./output-forms.ts')
  const { sheetMark } = await import('../../../files/print/sheet-page.ts')
  const path = resolve(app.world.cwd, html)
  await checkOwn(path, html, 'a sheet of calctl', async name => startOf(name).includes(sheetMark))
  checkWritable(path, html)
  return html
}
