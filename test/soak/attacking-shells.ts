import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { namespace } from './attacked-site.ts'

/** Shells on several machines, in which calctl is run. */
export interface Shells {
  /** Runs a command, and kills it after some ms; the status of one that was killed is -1. */
  calctl(
    shell: string,
    words: readonly string[],
    killAfter?: number,
    given?: { readonly input?: string; readonly user?: string },
  ): Promise<{ status: number; out: string; err: string }>
  /** Stack traces and commands that hung. */
  readonly problems: string[]
  /** The events of which a command said that the site drops their passwords. */
  readonly withoutPassword: ReadonlySet<number>
  readonly commands: number
  /** Commands that ended with 0. */
  readonly succeeded: number
  readonly kills: number
}

export function createShells(script: string, folder: string, port: number): Shells {
  const problems: string[] = []
  const withoutPassword = new Set<number>()
  const counts = { commands: 0, succeeded: 0, kills: 0 }
  return {
    problems,
    withoutPassword,
    get commands() {
      return counts.commands
    },
    get succeeded() {
      return counts.succeeded
    },
    get kills() {
      return counts.kills
    },
    async calctl(shell, words, killAfter, { input, user = 'admin' } = {}) {
      counts.commands += 1
      const child = spawn(process.execPath, [script, ...words, '--yes', '--retries', '2'], {
        stdio: ['pipe', 'pipe', 'pipe'],
        env: {
          ...process.env,
          HOME: join(folder, shell),
          XDG_STATE_HOME: join(folder, shell, 'state'),
          XDG_CACHE_HOME: join(folder, shell, 'cache'),
          CALCTL_BASE_URL: `http://127.0.0.1:${port}/wp-json`,
          CALCTL_NAMESPACE: namespace,
          CALCTL_USER: user,
          CALCTL_PASSWORD: 'pw',
        },
      })
      let [out, err] = ['', '']
      // It may be killed before it has read everything.
      child.stdin.on('error', () => {}).end(input)
      child.stdout.setEncoding('utf8').on('data', text => {
        out += text
      })
      child.stderr.setEncoding('utf8').on('data', text => {
        err += text
      })
      if (killAfter !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfter)
      const hung = setTimeout(() => {
        problems.push(`calctl ${words.join(' ')} hung`)
        child.kill('SIGKILL')
      }, 300_000)
      const [status] = await once(child, 'close')
      clearTimeout(hung)
      for (const id of droppedPasswords(err)) withoutPassword.add(id)
      if (status === null) counts.kills += 1
      if (status === 0) counts.succeeded += 1
      if (/\n\s+at .+:\d+:\d+/.test(err)) problems.push(`calctl ${words.join(' ')} printed a stack trace: ${err}`)
      if (process.env.ATTACK_LOG) console.log(shell, words.join(' '), '->', status, err)
      return { status: status ?? -1, out, err }
    },
  }
}

/** The events that a sentence says the site makes private without their passwords. */
function* droppedPasswords(err: string): Generator<number> {
  for (const [, events = ''] of err.matchAll(/drops the password of an event that is private: (.*?) ha(?:s|ve) one/gs))
    for (const [, id, other] of events.matchAll(/event (\d+)|\((\d+)[,)]/g)) yield Number(id ?? other)
}

/** What a person adds to a command that failed: what its hint said. */
export const advisedBy = (err: string): readonly string[] =>
  err.includes('leave wp/v2 out with: --via events') ? ['--via', 'events'] : []

/** Runs a command, and if a hint says what to add, once more with that. */
export async function runAsAdvised({ calctl }: Shells, shell: string, words: readonly string[]) {
  const result = await calctl(shell, words)
  const advice = result.status === 0 ? [] : advisedBy(result.err)
  return advice.length === 0 ? result : calctl(shell, [...words, ...advice])
}

/** How many runs a shell has journals of. */
export const countJournals = (folder: string, shell: string): number => {
  const runs = join(folder, shell, 'state', 'calctl', 'runs')
  return existsSync(runs) ? readdirSync(runs).filter(name => name.endsWith('.ndjson')).length : 0
}

/**
 * Runs a command that may be killed, and resumes it until it is done, or for as long as nothing was sent, runs it again. What is
 * done may end with a status that `isDone` knows.
 */
export async function finishRun(
  { shells, folder, random }: { readonly shells: Shells; readonly folder: string; readonly random: () => number },
  shell: string,
  words: readonly string[],
  { user, isDone = ({ status }) => status === 0 }: FinishOptions = {},
): Promise<boolean> {
  const before = countJournals(folder, shell)
  const advice = new Set<string>()
  // A run has only the records that its command could read, and leaves those that somebody changed: for them, the command is to be
  // run again.
  let mayLackRecords = false
  for (let attempt = 0; attempt < 12; attempt++) {
    const killAfter = random() < (attempt === 0 ? 0.5 : 0.3) && attempt < 4 ? 200 + random() * 1500 : undefined
    const hasBegun = countJournals(folder, shell) > before
    const resumes = hasBegun && !(mayLackRecords && attempt % 2 === 0)
    const command = [...(resumes ? ['runs', 'resume'] : words), ...advice]
    const result = await shells.calctl(shell, command, killAfter, user === undefined ? {} : { user })
    if (isDone(result) && !(resumes && mayLackRecords)) return true
    const isCut = result.status === -1 || /\d of \d+ failed/.test(result.err)
    if (!resumes && words[1] === 'update' && isCut) mayLackRecords = true
    if (/it was kept; run the command again/.test(result.err)) mayLackRecords = true
    for (const word of advisedBy(result.err)) advice.add(word)
  }
  return false
}

interface FinishOptions {
  readonly user?: string
  isDone?(result: { readonly status: number; readonly err: string }): boolean
}
