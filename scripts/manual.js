// The manual pages of the package, from the command tree: one for calctl, and one for each command that has others below it.

import { spawnSync } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'

/** Writes man/*.1 with the program that was built. */
export async function writeManual(program) {
  const run = (...words) => {
    const { status, stdout } = spawnSync(process.execPath, [program, ...words], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`calctl ${words.join(' ')} ended with ${status}`)
    return stdout
  }
  const { commands } = JSON.parse(run('help', '--json'))
  await rm('man', { recursive: true, force: true })
  await mkdir('man')
  await writeFile('man/calctl.1', run('help', '--man'))
  for (const { command, commands: below } of commands)
    if (below.length > 0)
      await writeFile(`man/${command.replaceAll(' ', '-')}.1`, run('help', command.replace('calctl ', ''), '--man'))
}
