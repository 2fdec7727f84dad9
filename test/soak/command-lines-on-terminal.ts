// Runs many command lines in one process, as calctl itself would: with the streams of the process, which are a terminal's.
import { readFileSync } from 'node:fs'
import { start } from '../../src/main.ts'

const lines: string[][] = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
process.setMaxListeners(0)
for (const words of lines) {
  process.argv = [...process.argv.slice(0, 2), ...words]
  // A server ends when it is stopped, and so does everything: it comes last.
  if (words[0] === 'serve') setTimeout(() => process.kill(process.pid, 'SIGINT'), 500)
  await start()
}
