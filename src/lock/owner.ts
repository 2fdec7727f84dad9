import { readFileSync, readlinkSync } from 'node:fs'

/**
 * A process, told apart from every other that had or will have its pid: by when it started, and by the boot and the
 * pid namespace that its pid and its start belong to. Where there is no /proc, the pid is all there is.
 */
export interface Owner {
  readonly pid: number
  readonly started: string
  readonly place: string
}

/** This process. */
export const self = (): Owner => ({ pid: process.pid, started: startOf('self') ?? '', place: place() })

/** The name of an owner, which `ownerNamed` reads. */
export const nameOf = ({ pid, started, place }: Owner): string => `${pid}-${started}-${place}`

/** The owner that a name was made of; undefined for what is none. */
export function ownerNamed(name: string): Owner | undefined {
  const [, pid, started = '', place = ''] = /^(\d+)-(\d*)-(\w*)$/.exec(name) ?? []
  return pid === undefined ? undefined : { pid: Number(pid), started, place }
}

/** Whether the process lives; undefined where that cannot be seen: in another container, or before another boot. */
export function isAlive(owner: Owner): boolean | undefined {
  if (owner.place !== place()) return undefined
  return owner.started === '' ? answersSignals(owner.pid) : startOf(owner.pid) === owner.started
}

/** In clock ticks since the machine started. */
function startOf(pid: number | 'self'): string | undefined {
  const stat = read(`/proc/${pid}/stat`)
  // The second field is the program's name in parentheses, with anything in it.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

let known: string | undefined
const place = (): string => {
  known ??= `${read('/proc/sys/kernel/random/boot_id')?.slice(0, 8) ?? ''}${namespace()}`
  return known
}

function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')
  } catch {
    return ''
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
