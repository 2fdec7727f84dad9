import type { ChildProcessByStdio } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { Failure } from '../failure.ts'
import { makeFolder } from '../fs.ts'
import type { World } from '../world.ts'
import { configFile } from './user-folders.ts'

/** Whether this says where a secret comes from: `env:NAME`, `command:…` or `file:…`. */
export const isSource = (text: string): boolean => /^(env:[A-Za-z_]\w*|command:.*\S.*|file:.+)$/.test(text)

/** A source as it is kept: a file's path is whole from `folder` on. */
export const absoluteSource = (source: string, folder: string): string =>
  source.startsWith('file:') ? `file:${resolve(folder, source.slice('file:'.length))}` : source

/** Fetches a secret from where it is, where a command gets so many ms. What it is stands in no message. */
export async function readSecret(source: string, world: World, limit = 30_000): Promise<string> {
  const [, kind, rest = ''] = /^(\w+):(.*)$/s.exec(source) ?? []
  const secret =
    kind === 'env'
      ? fromEnvironment(rest, world)
      : kind === 'command'
        ? await fromCommand(rest, world, limit)
        : await fromFile(rest, world)
  if (secret === '') throw new Failure('settings', `no secret: ${source} gave nothing`)
  return secret
}

const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0] ?? ''

function fromEnvironment(name: string, { env }: World): string {
  const value = env[name]
  if (!value)
    throw new Failure('settings', `no secret: the environment variable ${name} is not set`, {
      hint: `set it: export ${name}=…`,
    })
  return value
}

async function fromCommand(command: string, { env, cwd, stdin, platform }: World, limit: number): Promise<string> {
  const { spawn } = await import('node:child_process')
  // A group of its own can be ended whole, but can ask for no passphrase at the terminal.
  const detached = stdin.isTTY !== true && platform !== 'win32'
  const child = spawn(command, { shell: true, cwd, env, stdio: ['inherit', 'pipe', 'inherit'], detached })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    end(child, detached)
  }, limit)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  clearTimeout(timer)
  if (isLate)
    throw new Failure('settings', `no secret: the command did not end within ${limit / 1000} s: ${command}`, {
      hint: 'wait longer with: --timeout 2m',
    })
  if (status !== 0)
    throw new Failure('settings', `no secret: the command ended with ${status}: ${command}`, {
      hint: 'its first output line is to be the secret',
    })
  return firstLine(output)
}

/** Ends a command; what it may have left running is not waited for. */
function end(child: ChildProcessByStdio<null, Readable, null>, hasGroup: boolean): void {
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
      throw new Failure('settings', `no secret: others than its owner may use ${path}`, {
        hint: `make it yours alone: chmod 600 ${path}`,
      })
    return firstLine(await readFile(path, 'utf8'))
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('settings', `no secret: cannot read ${path}: ${(error as Error).message}`, {
      hint: 'say where the secret is with: calctl profiles edit NAME --secret …',
    })
  }
}

/** Reads `X-Key: env:NAME`, in one occurrence of `--header` or in several: where each header's value is, by its name. */
export function parseHeaders(texts: readonly string[], folder: string): Record<string, string> {
  const entries = texts.map((text): [string, string] => {
    const [, name, source] = /^([\w-]+):\s*(.+)$/.exec(text) ?? []
    if (name === undefined || source === undefined)
      throw new Failure('usage', '--header: expected a name and where its value is', {
        hint: "for example: --header 'X-Key: env:SITE_KEY'",
      })
    return [name, parseSource('--header', source, folder)]
  })
  return Object.fromEntries(entries)
}

/** Where a secret is. What is wrong is not repeated: it may be the secret itself. */
export function parseSource(option: string, source: string, folder: string): string {
  if (isSource(source)) return absoluteSource(source, folder)
  throw new Failure('usage', `${option}: expected where the secret is, not the secret`, {
    hint: 'env:NAME, command:… (its first output line) or file:… (with mode 0600)',
  })
}

/** Where a profile's password is once it is kept, as the source of a secret. */
export const passwordSource = (world: World, profile: string): string => `file:${passwordFile(world, profile)}`

/** Keeps a password in a file that only its owner may read. */
export async function savePassword(world: World, profile: string, password: string): Promise<void> {
  const { writeFile } = await import('node:fs/promises')
  const path = passwordFile(world, profile)
  try {
    makeFolder(dirname(path), 0o700)
    await writeFile(path, `${password}\n`, { mode: 0o600 })
  } catch (error) {
    throw new Failure('settings', `cannot write ${path}: ${(error as Error).message}`, {
      hint: 'is the folder yours? XDG_CONFIG_HOME names another one',
    })
  }
}

/** Removes the password that was kept for a profile, if there is one. */
export async function deletePassword(world: World, profile: string): Promise<void> {
  const { rm } = await import('node:fs/promises')
  await rm(passwordFile(world, profile), { force: true })
}

/** The first line of stdin. */
export async function readPassword({ stdin }: Pick<World, 'stdin'>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stdin) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    if (text.includes('\n')) break
  }
  const [password = ''] = text.split(/\r?\n/, 1)
  if (password === '')
    throw new Failure('usage', '--password-stdin: nothing on stdin', {
      hint: 'for example: pass show site | calctl profiles edit site --password-stdin',
    })
  return password
}

const passwordFile = (world: World, profile: string): string => join(dirname(configFile(world)), 'secrets', profile)
