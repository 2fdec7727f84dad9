import type { App } from '../../app.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { Failure } from '../../failure.ts'
import { decodeEntities } from '../../text/normalize.ts'
import { listOf } from '../../text/words.ts'

/** A question before a write, and the failure after a no. */
interface Confirmation {
  /** `Move "Jazz" (57) to the trash?` */
  readonly question: string
  /** The message after a no: `kept event 57`. */
  readonly declined: string
  readonly hint?: string
}

/** Throws `declined` unless the user answers yes. */
export async function confirm(app: App, { question, declined, hint = 'add --yes' }: Confirmation): Promise<void> {
  if (!app.canAsk) throw cannotAsk(app, question, hint)
  const { askYesNo } = await import('../../terminal/prompts.ts')
  if (!(await askYesNo(app.world, question))) throw new Failure('declined', declined, { hint })
}

const cannotAsk = ({ globals }: App, question: string, hint: string) =>
  new Failure(
    'declined',
    `cannot ask for confirmation ${globals.input === false ? 'with --no-input' : 'without a terminal'}: ${question}`,
    { hint },
  )

/** Up to this many records are named in a question; otherwise it has only their number. */
export const mostNamed = 5

/** The records of a question, by title, ID and date: `"Mercat de pagès" (57, Sat 2026-11-21 08:00)`. */
export async function describeRecords(resource: Resource, records: readonly Answer[]): Promise<string> {
  if (records.length > mostNamed) return `${records.length} ${resource.name}`
  const { readableLine } = await import('../../terminal/readable.ts')
  return listOf(
    records.map(record => {
      const details = [String(record.id), readableLine(record, 'start_date')].filter(detail => detail !== '')
      return `"${decodeEntities(String(record[resource.title]))}" (${details.join(', ')})`
    }),
  )
}
