import { readFileSync } from 'node:fs'
import { ignoreErrors } from '../../../base/attempt.ts'

/** In ms. */
const pause = 1000

const shells = new Set(['sh', 'ash', 'bash', 'dash', 'fish', 'ksh', 'zsh', 'busybox', 'screen', 'tmux: server', 'tmux'])

/**
 * Resolves when the program that started this one has ended, so that a test runner or npx that is killed leaves no server behind. A shell
 * may end: a server in its background should continue, for example between two steps of a CI job. Where the name of the parent cannot be
 * read (outside of Linux), only npm counts.
 */
export function parentEnded(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const parent = process.ppid
  const name = programName(parent)
  const isWatched = name === undefined ? env.npm_execpath !== undefined : !shells.has(name)
  if (!isWatched || parent <= 1) return new Promise(() => {})
  return new Promise(resolve => {
    const timer = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(timer)
      resolve()
    }, pause)
    timer.unref()
  })
}

const programName = (id: number): string | undefined =>
  ignoreErrors(() => readFileSync(`/proc/${id}/comm`, 'utf8').trim())
