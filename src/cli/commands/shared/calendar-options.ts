import { type Command, Option } from 'commander'
import { excluding } from '../../../base/failure.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Values } from '../../../client/client.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import { dateFilterNames } from '../../../contract/filter.ts'
import type { App } from '../../app.ts'
import { type NewsletterForm, newsletterForms } from '../../world.ts'
import { type CriteriaOptions, conditionOptions } from './criteria-options.ts'
import { addFieldOption } from './options.ts'
import { declareOutput, readRecordsOutput } from './output-forms.ts'

const events = resourceNamed('events')

/** The filters by date, which would contradict the days of a calendar. */
const dateFilters = new Set([...dateFilterNames(events.filters), 'strict_dates'])

/** The filters of `agenda` and `month`, without those that make sense only together with others. */
export const calendarFilters = Object.entries(events.filters).filter(
  ([name, { requires }]) => !dateFilters.has(name) && !requires,
)

/** The output of a list. Feeds are left to `events list`, which has more options for them. */
const listed = readRecordsOutput(events)

const output = { ...listed, forms: [...listed.forms.filter(form => form !== 'ics'), ...newsletterForms] }

export interface CalendarOptions extends Values, Pick<CriteriaOptions, 'where' | 'modifiedAfter'> {
  readonly html?: string
  readonly with?: 'private'
}

/** The options of `agenda` and `month`: filters of events, and what can be published: a sheet to print, a newsletter. */
export function calendarOptions(command: Command, addDays: (command: Command) => void = () => {}): Command {
  command.optionsGroup('Filters:')
  addDays(command)
  conditionOptions(command, [events])
  for (const [name, filter] of calendarFilters) addFieldOption(command, name, filter)
  command
    .optionsGroup('Output:')
    .option('--html <file>', phrase('Write a sheet to print, in the language of the content (- for stdout)'))
    .addOption(
      new Option(
        '--with <events>',
        phrase(
          'Include in a sheet or newsletter what the public does not see: drafts, private, hidden and protected events',
        ),
      ).choices(['private']),
    )
  return declareOutput(command, output)
}

/** Whether a calendar is drawn for people, not printed as records. */
export const isDrawn = ({ output, globals }: App): boolean => output === undefined && globals.fields === undefined

/** The form of a newsletter, if one was requested. */
export const newsletterForm = ({ output }: App): NewsletterForm | undefined =>
  newsletterForms.find(form => form === output)

/** The file for a sheet, if one was requested. Throws `usage` if it cannot be written, or would overwrite something other than a sheet. */
export async function sheetFile(app: App, { html }: CalendarOptions): Promise<string | undefined> {
  if (html === undefined) return undefined
  if (!isDrawn(app)) throw excluding('--html', app.output === undefined ? '--fields' : `-o ${app.output}`)
  if (html === '-') return html
  const { checkTarget, startOf } = await import('./output-files.ts')
  const { sheetMark } = await import('../../../files/print/sheet-page.ts')
  await checkTarget(app, html, phrase('a sheet of calctl'), path => startOf(path).includes(sheetMark))
  return html
}
