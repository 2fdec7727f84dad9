import { answeredNo, declined } from '../../../base/failure.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { App } from '../../app.ts'
import { writeLines } from '../../terminal/sentences.ts'

/** A question before a write, and the sentence for the answer "no". */
interface Confirmation {
  /** `Move "Jazz" (57) to the trash?` */
  readonly question: string
  /** `kept event 57` */
  readonly declined: string
  readonly hint?: string
}

/** Throws `declined` unless the user answers yes. */
export async function confirm(app: App, { question, declined, hint = phrase('add --yes') }: Confirmation) {
  if (!app.canAsk) throw cannotAsk(app, question, hint)
  if (!(await isYes(app, question))) throw answeredNo(declined)
}

/** Asks a yes/no question at a terminal. */
export async function isYes({ world }: App, question: string, usual: 'yes' | 'no' = 'no'): Promise<boolean> {
  const { askYesNo } = await import('../../terminal/prompts.ts')
  return askYesNo(world, question, { usual })
}

export const cannotAsk = ({ globals }: App, question: string, hint: string) =>
  declined(
    globals.input === false
      ? phrase('cannot ask for confirmation with --no-input: {question}', { question })
      : phrase('cannot ask for confirmation without a terminal: {question}', { question }),
    hint,
  )

/** How many records or steps are shown before a question. */
export const mostShown = 10

/** Shows what a question is about, one line for each record, up to `mostShown`. */
export async function showBefore(app: App, lines: readonly string[], total: number): Promise<void> {
  const { stderr } = app.world
  const shown = lines.slice(0, mostShown)
  await writeLines(app, shown, stderr)
  if (total > shown.length) await stderr.write(`${phrase('… and {count} more', { count: total - shown.length })}\n`)
}
