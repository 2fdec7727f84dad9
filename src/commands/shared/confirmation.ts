import type { App } from '../../app.ts'
import type { Client, Ref, Values } from '../../client/client.ts'
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
const mostNamed = 5

/** The records of a question, by title, ID and date: `"Mercat de pagès" (57, Sat 2026-11-21 08:00)`. */
export async function describeRecords(
  client: Client,
  resource: Resource,
  refs: readonly Ref[],
  values: Values,
): Promise<{ text: string; records: readonly Answer[] }> {
  if (refs.length > mostNamed) return { text: `${refs.length} ${resource.name}`, records: [] }
  const { readableLine } = await import('../../terminal/readable.ts')
  const records: Answer[] = []
  const names: string[] = []
  for (const ref of refs) {
    const record = await client.get(resource, ref, values).catch(error => {
      // The other records are written anyway, and the failure is reported with their results.
      if (error instanceof Failure && refs.length > 1) return undefined
      throw error
    })
    if (!record) continue
    records.push(record)
    const details = [String(record.id), readableLine(record, 'start_date')].filter(detail => detail !== '')
    names.push(`"${decodeEntities(String(record[resource.title]))}" (${details.join(', ')})`)
  }
  const noun = resource.trashable ? '' : `${refs.length === 1 ? resource.singular : resource.name} `
  return { text: `${noun}${listOf(names)}`, records }
}
