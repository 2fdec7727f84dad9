import { answeredNo, Failure } from '../../../base/failure.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Client } from '../../../client/client.ts'
import type { NameCare } from '../../../client/name-lookup.ts'
import type { Resource } from '../../../contract/resource.ts'
import type { App } from '../../app.ts'

/** A question before a write, and the sentence for the answer "no". */
interface Confirmation {
  /** `Move "Jazz" (57) to the trash?` */
  readonly question: string
  /** `kept event 57` */
  readonly declined: string
  readonly hint?: string
}

/** Throws `declined` unless the user answers yes. */
export async function confirm(
  app: App,
  { question, declined, hint = phrase('add --yes') }: Confirmation,
): Promise<void> {
  if (!app.canAsk) throw cannotAsk(app, question, hint)
  const { askYesNo } = await import('../../terminal/prompts.ts')
  if (!(await askYesNo(app.world, question))) throw answeredNo(declined)
}

export const cannotAsk = ({ globals }: App, question: string, hint: string) =>
  new Failure(
    'declined',
    globals.input === false
      ? phrase('cannot ask for confirmation with --no-input: {question}', { question })
      : phrase('cannot ask for confirmation without a terminal: {question}', { question }),
    { hint },
  )

/** `4 events use it`, `1 event uses these venues`: one request. Undefined if none do, or if the site does not tell. */
export async function describeUses(
  client: Client,
  resource: Resource,
  records: readonly { readonly id: number }[],
  isNamed = false,
): Promise<string | undefined> {
  const { countUses } = await import('../../../changes/plan/back-references.ts')
  const uses = await countUses(client, resource, records)
  if (!uses) return undefined
  if (isNamed)
    return phrase(
      '{count, plural, one {# event uses} other {# events use}} {records, plural, one {this {record}} other {these {resource}}}',
      { count: uses, records: records.length, record: resource.singular, resource: resource.name },
    )
  return records.length === 1
    ? phrase('{count, plural, one {# event uses it} other {# events use it}}', { count: uses })
    : phrase('{count, plural, one {# event uses them} other {# events use them}}', { count: uses })
}

/** How many records or steps are shown before a question. */
export const mostShown = 10

/** Shows what a question is about, one line for each record, up to `mostShown`. */
export async function showBefore({ world, globals }: App, lines: Iterable<string>, total: number): Promise<void> {
  const { writeLines } = await import('../../terminal/sentences.ts')
  let shown = 0
  for (const line of lines) {
    if (shown === mostShown) break
    await writeLines(world, globals, world.stderr, `${line}\n`)
    shown += 1
  }
  if (total > shown) await world.stderr.write(`${phrase('… and {count} more', { count: total - shown })}\n`)
}

export interface CareOptions {
  readonly allowSimilar?: true
}

/** Asks at a terminal whether a new name that resembles an existing one means that one; elsewhere, such names are refused. */
export function nameCare(app: App): NameCare {
  if (!app.canAsk) return {}
  return {
    async ask({ singular }, name, existing) {
      const { askYesNo } = await import('../../terminal/prompts.ts')
      return askYesNo(
        app.world,
        phrase('No {singular} is called "{name}". Use "{existing}"?', { singular, name, existing }),
      )
    },
  }
}
