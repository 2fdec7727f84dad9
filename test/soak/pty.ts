import { type SpawnOptions, spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

/** Opens a terminal, runs a shell script on it and copies what the terminal is sent; Python's module and nothing else can do that. */
const runOnTerminal = `
import pty, sys
sys.exit(pty.spawn(['/bin/sh', '-c', sys.argv[1]]) >> 8)
`

/** Runs a shell script on a terminal; returns all that the terminal was sent, with plain line ends. */
export async function onTerminal(script: string, options: Pick<SpawnOptions, 'cwd' | 'env'>): Promise<string> {
  const child = spawn('python3', ['-c', runOnTerminal, script], { ...options, stdio: ['pipe', 'pipe', 'inherit'] })
  const sent = await text(child.stdout)
  return sent.replaceAll('\r\n', '\n')
}
