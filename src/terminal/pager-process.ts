import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Pager } from '../world.ts'

/** What a shell prints and nobody else does: its status if a command cannot be executed, or found. */
const notStarted = new Set([126, 127])

/** Starts the command line of a pager; `ended` is called once it has ended. */
export function startPager(command: string, env: NodeJS.ProcessEnv, ended: () => void): Pager {
  // As git has them: colours pass, and what fits on a screen stays there.
  const options = { env: { LESS: 'FRX', LV: '-c', ...env }, stdio: ['pipe', 'inherit', 'inherit'] as const }
  const [program = '', ...words] = command.trim().split(/\s+/)
  // Without a shell, a missing program is an error and not a line of the shell's on the screen.
  const isPlain = /^[\w\s./:=@%+,-]+$/.test(command)
  const child = spawn(isPlain ? program : command, isPlain ? words : [], {
    ...options,
    stdio: [...options.stdio],
    shell: !isPlain,
  })
  const { stdin } = child
  stdin.on('error', () => {})
  const isStarted = once(child, 'close').then(
    ([status]) => !notStarted.has(Number(status)),
    () => false,
  )
  void isStarted.then(ended)
  return {
    write: text => new Promise(resolve => stdin.write(text, error => resolve(!error))),
    async end() {
      stdin.end()
      return isStarted
    },
  }
}
