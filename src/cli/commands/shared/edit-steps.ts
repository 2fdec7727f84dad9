import { phrase } from '../../../base/words/phrase.ts'
import { leaveOut } from '../../../changes/plan/leave-out.ts'
import type { Plan } from '../../../changes/plan/plan.ts'
import { stepLines } from '../../../changes/plan/step-lines.ts'
import type { Client } from '../../../client/client.ts'
import type { App } from '../../app.ts'

/** Opens the steps in the user's editor, and leaves out those whose lines were deleted. */
export async function editSteps(app: App, client: Client, plan: Plan): Promise<Plan> {
  const { editText } = await import('./edit-session.ts')
  const lines = [...stepLines(plan, client.knownName)].map((line, index) => `${index + 1}\t${line}\n`)
  const saved = await editText(app, 'plan.txt', `${instructions(lines.length)}${lines.join('')}`)
  const kept = new Set<number>()
  for (const line of saved.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const number = Number(/^\s*(\d+)\b/.exec(line)?.[1])
    if (!(number >= 1 && number <= lines.length)) {
      await app.notice(phrase('this line matches no step, so all steps are kept: {line}', { line: line.slice(0, 60) }))
      return plan
    }
    kept.add(number)
  }
  const out = new Set(Array.from(plan.steps, ({ key }) => key).filter((_, index) => !kept.has(index + 1)))
  const { plan: rest, dependents } = leaveOut(plan, out)
  if (dependents > 0)
    await app.notice(
      phrase('also left out {count, plural, one {# step that needs} other {# steps that need}} one of them', {
        count: dependents,
      }),
    )
  return rest
}

const instructions = (count: number): string =>
  [
    phrase(
      '{count, plural, one {# step} other {# steps}}. Delete the lines of the steps that are not to be done, then save and close.',
      { count },
    ),
    phrase('Other changes in this file have no effect. You are asked again before anything is done.'),
  ]
    .map(line => `# ${line}\n`)
    .join('')
    .concat('\n')
