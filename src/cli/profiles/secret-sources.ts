import type { ChildProcessByStdio } from 'node:child_process'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { badSettings, Failure, usage } from '../../base/failure.ts'
import { inputProblem } from '../../base/fs.ts'
import { reason } from '../../base/io-reasons.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { World } from '../world.ts'

/** Whether a text is the source of a secret: `env:NAME`, `command:…` or `file:…`. */
export const isSource = (text: string): boolean => /^(env:[A-Za-z_]\w*|command:.*\S.*|file:.+)$/.test(text)

/** Begins the value of a header that is no secret, in place of a source. */
export const plainSource = 'text:'

/** A source with the path of a file made absolute, from `folder`. */
const absoluteSource = (source: string, folder: string): string =>
  source.startsWith('file:') ? `file:${resolve(folder, source.slice('file:'.length))}` : source

/** Reads a secret from its source; a command gets `limit` ms. No message quotes the secret. */
export async function readSecret(source: string, world: World, limit = 30_000): Promise<string> {
  const secret = await readSource(source, world, limit)
  if (secret === '') throw new Failure('settings', phrase('the secret of {source} is empty', { source }))
  return secret
}

function readSource(source: string, world: World, limit: number): string | Promise<string> {
  const [, kind, rest = ''] = /^(\w+):(.*)$/s.exec(source) ?? []
  if (source.startsWith(plainSource)) return rest
  if (kind === 'env') return fromEnvironment(rest, world)
  return kind === 'command' ? fromCommand(rest, world, limit) : fromFile(rest, world)
}

const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0] ?? ''

function fromEnvironment(name: string, { env }: World): string {
  const value = env[name]
  if (!value)
    throw badSettings(
      phrase('cannot read the secret: the environment variable {name} is not set', { name }),
      phrase('set it: export {name}=…', { name }),
    )
  return value
}

async function fromCommand(command: string, { env, cwd, stdin, platform }: World, limit: number): Promise<string> {
  const { spawn } = await import('node:child_process')
  // A process group of its own can be killed as a whole, but cannot ask for a passphrase at the terminal.
  const detached = stdin.isTTY !== true && platform !== 'win32'
  const child = spawn(command, { shell: true, cwd, env, stdio: ['inherit', 'pipe', 'inherit'], detached })
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    kill(child, detached)
  }, limit)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  clearTimeout(timer)
  if (timedOut)
    throw badSettings(
      phrase('cannot read the secret: this command did not end within {seconds} s: {command}', {
        seconds: limit / 1000,
        command,
      }),
      phrase('wait longer with: --timeout 2m'),
    )
  if (status !== 0)
    throw badSettings(
      phrase('cannot read the secret: the command exited with status {status}: {command}', {
        status: String(status),
        command,
      }),
      phrase('the first line that it prints must be the secret'),
    )
  return firstLine(output)
}

/** Kills a command with its process group, and does not wait for processes that it left running. */
function kill(child: ChildProcessByStdio<null, Readable, null>, hasGroup: boolean): void {
  child.stdout.destroy()
  try {
    if (hasGroup && child.pid) process.kill(-child.pid, 'SIGKILL')
    else child.kill('SIGKILL')
  } catch {
    // It ended at the same moment.
  }
}

async function fromFile(path: string, { platform }: World): Promise<string> {
  const { readFile, stat } = await import('node:fs/promises')
  try {
    const { mode } = await stat(path)
    if (platform !== 'win32' && (mode & 0o077) !== 0)
      throw badSettings(
        phrase('cannot use the secret: others besides its owner can read {path}', { path }),
        phrase('restrict it with: chmod 600 {path}', { path }),
      )
    const problem = inputProblem(path)
    if (problem !== undefined) throw new Error(problem)
    return firstLine(await readFile(path, 'utf8'))
  } catch (error) {
    if (error instanceof Failure) throw error
    throw badSettings(
      phrase('cannot read the secret: {path}: {reason}', { path, reason: reason(error as Error, 'read') }),
      phrase('set another source with: calctl profiles edit NAME --secret …'),
    )
  }
}

/** Checks the source of a secret. The message does not quote it, because it may be the secret itself. */
export function parseSource(option: string, source: string, folder: string): string {
  if (isSource(source)) return absoluteSource(source, folder)
  throw usage(
    phrase('{option}: expected the source of the secret, not the secret itself', { option }),
    phrase(
      'give env:NAME, command:… (a command whose first output line is the secret) or file:… (a file with mode 0600)',
    ),
  )
}
