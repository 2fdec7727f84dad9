import type { Stage } from './attack-stage.ts'
import { advisedBy, countJournals, finishRun } from './attacking-shells.ts'

/** Of a line on which more than half of the commands end early. */
const attempts = 20

/** Runs a command until it, or what resumes it, ends with 0. */
export async function finish(
  { folder, shells, problems, random }: Stage,
  shell: string,
  words: readonly string[],
  given = {},
): Promise<boolean> {
  let [mayResume, mustResume, mustRepeat] = [false, false, false]
  let resume = ['runs', 'resume']
  const advice = new Set<string>()
  for (let attempt = 0; attempt < attempts; attempt++) {
    const killAfter = random() < 0.4 ? 200 + random() * 2500 : undefined
    const before = countJournals(folder, shell)
    const command = mustResume || (mayResume && !mustRepeat && random() < 0.5) ? resume : words
    const end = attempt < attempts / 2 ? killAfter : undefined
    const { status, err } = await shells.calctl(shell, [...command, ...advice], end, given)
    for (const word of advisedBy(err)) advice.add(word)
    // Nobody but a resume finds out what became of what was sent, and of what another machine created too.
    const isCut = status === -1 || status === 5
    mustResume =
      (mustResume && isCut) || /\d unknown|(look again|take back the duplicates) with: calctl runs resume/.test(err)
    mustRepeat = /it was kept; run the command again/.test(err)
    const named = /calctl (runs resume \w+)/.exec(err)?.[1]?.split(' ')
    resume = named ?? (mustResume && isCut ? resume : ['runs', 'resume'])
    await deleteDoubles({ folder, shells, random }, shell, err)
    if (status === 0 && command === words) return true
    mayResume = status !== 0 && (mayResume || countJournals(folder, shell) > before)
  }
  problems.push(`${shell}: ${words.join(' ')} did not end with 0 in ${attempts} attempts`)
  return false
}

/** Deletes the doubles that a command named, as its hints say; whether there were any. */
export async function deleteDoubles(
  stage: Pick<Stage, 'folder' | 'shells' | 'random'>,
  shell: string,
  err: string,
): Promise<boolean> {
  const hints = [...err.matchAll(/delete (?:the duplicates|one of them) with: calctl (events delete [\d ]+)/g)]
  for (const [, words = ''] of hints) await finishRun(stage, shell, words.trim().split(' '))
  return hints.length > 0
}
