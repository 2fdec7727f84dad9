import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { bundle } from '../soak/bundle.ts'

test('a server ends with the program that started it', { timeout: 60_000 }, async () => {
  const serve = [await bundle('server'), 'serve', '--memory', '--port', '0', '--json']
  const program = `
    const { spawn } = require('node:child_process')
    spawn(process.execPath, ${JSON.stringify(serve)}, { stdio: ['ignore', 'inherit', 'inherit'] })
    setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [line] = await once(parent.stdout, 'data')
  const { url, pid } = JSON.parse(String(line))
  onTestFinished(() => {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended, as it should.
    }
  })
  expect((await fetch(url)).status).toBe(200)
  parent.kill('SIGKILL')
  // The server holds the other end of the pipe.
  await once(parent.stdout.resume(), 'end')
  await expect(fetch(url)).rejects.toThrow()
})
