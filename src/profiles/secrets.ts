import { resolve } from 'node:path'
import { Failure } from '../failure.ts'
import type { World } from '../world.ts'

/** Whether this says where a secret comes from: `env:NAME`, `command:…` or `file:…`. */
export const isSource = (text: string): boolean => /^(env:[A-Za-z_]\w*|command:.*\S.*|file:.+)$/.test(text)

/** A source as it is kept: a file's path is whole from `folder` on. */
export const keptSource = (source: string, folder: string): string =>
  source.startsWith('file:') ? `file:${resolve(folder, source.slice('file:'.length))}` : source

/** Fetches a secret from where it is. What it is stands in no message. */
export async function readSecret(source: string, world: World): Promise<string> {
  const [, kind, rest = ''] = /^(\w+):(.*)$/s.exec(source) ?? []
  const secret =
    kind === 'env'
      ? fromEnvironment(rest, world)
      : kind === 'command'
        ? await fromCommand(rest, world)
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

async function fromCommand(command: string, { env, cwd }: World): Promise<string> {
  const { spawn } = await import('node:child_process')
  const child = spawn(command, { shell: true, cwd, env, stdio: ['inherit', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (status !== 0)
    throw new Failure('settings', `no secret: the command ended with ${status}: ${command}`, {
      hint: 'its first output line is to be the secret',
    })
  return firstLine(output)
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
