import type { App } from '../../app.ts'
import type { Client, Ref, Values } from '../../client/client.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { Failure } from '../../failure.ts'
import { decodeEntities } from '../../text/normalize.ts'
import { listOf } from '../../text/words.ts'

/** What is asked before something is written, and what is said where it is not. */
interface Confirmation {
  /** `Move "Jazz" (57) to the trash?` */
  readonly question: string
  /** What stays as it is after a no: `kept event 57`. */
  readonly declined: string
  readonly hint?: string
}

/** Throws `declined` unless a person says yes. */
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

/** So many records are read to be named in a question; of more only the number is. */
const fewRecords = 5

/** The records of a question, by title, ID and date: `"Mercat de pagès" (57, Sat 2026-11-21 08:00)`. */
export async function describeRecords(
  client: Client,
  resource: Resource,
  refs: readonly Ref[],
  values: Values,
): Promise<{ text: string; records: readonly Answer[] }> {
  if (refs.length > fewRecords) return { text: `${refs.length} ${resource.name}`, records: [] }
  const { readableLine } = await import('../../terminal/readable.ts')
  const records: Answer[] = []
  const names: string[] = []
  for (const ref of refs) {
    const record = await client.get(resource, ref, values).catch(error => {
      // The others are written all the same; what is missing is reported with them.
      if (error instanceof Failure && refs.length > 1) return undefined
      throw error
    })
    if (!record) continue
    records.push(record)
    const facts = [String(record.id), readableLine(record, 'start_date')].filter(fact => fact !== '')
    names.push(`"${decodeEntities(String(record[resource.title]))}" (${facts.join(', ')})`)
  }
  const noun = resource.trashable ? '' : `${refs.length === 1 ? resource.singular : resource.name} `
  return { text: `${noun}${listOf(names)}`, records }
}
