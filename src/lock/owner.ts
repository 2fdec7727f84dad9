import { readFileSync, readlinkSync } from 'node:fs'

/**
 * A process, told apart from every other that had or will have its pid: by when it started, and by the boot and the
 * pid namespace that its pid and its start belong to. Where there is no /proc, the pid is all there is.
 */
export interface LockOwner {
  readonly pid: number
  /** In clock ticks since the boot. */
  readonly started: string
  /** The boot and the pid namespace. */
  readonly scope: string
}

/** This process. */
export const currentOwner = (): LockOwner => ({
  pid: process.pid,
  started: startOf('self') ?? '',
  scope: pidScope(),
})

export const ownerName = ({ pid, started, scope }: LockOwner): string => `${pid}-${started}-${scope}`

/** The owner with this name; undefined for any other text. */
export function parseOwnerName(name: string): LockOwner | undefined {
  const [, pid, started = '', scope = ''] = /^(\d+)-(\d*)-(\w*)$/.exec(name) ?? []
  return pid === undefined ? undefined : { pid: Number(pid), started, scope }
}

/** Whether the process is alive; undefined if that cannot be seen: in another container, or before another boot. */
export function isOwnerAlive(owner: LockOwner): boolean | undefined {
  if (owner.scope !== pidScope()) return undefined
  return owner.started === '' ? acceptsSignals(owner.pid) : startOf(owner.pid) === owner.started
}

function startOf(pid: number | 'self'): string | undefined {
  const stat = readText(`/proc/${pid}/stat`)
  // The second field is the program's name in parentheses, and may hold anything.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

let cachedScope: string | undefined
const pidScope = (): string => {
  cachedScope ??= `${readText('/proc/sys/kernel/random/boot_id')?.slice(0, 8) ?? ''}${pidNamespace()}`
  return cachedScope
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')
  } catch {
    return ''
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function acceptsSignals(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
