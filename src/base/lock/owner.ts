import { readFileSync, readlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { hostname } from 'node:os'
import { ignoreErrors } from '../attempt.ts'
import { once } from '../memoize.ts'

/**
 * A process, distinguished from all others that have had its pid: by its start time, and by the boot, pid namespace and machine of
 * the pid. Without /proc, only pid and machine are known.
 */
export interface LockOwner {
  readonly pid: number
  /** In clock ticks since the boot. */
  readonly started: string
  readonly boot: string
  readonly namespace: string
  /** The host name, after the beginning of the machine's ID if it has one; empty in names written by earlier builds. */
  readonly machine: string
  /** Whether the kernel keeps a lock on the entry while the owner lives. */
  readonly isBacked?: boolean
}

export const currentOwner = once(
  (): LockOwner => ({ pid: process.pid, started: startTimeOf('self') ?? '', ...surroundings() }),
)

/** `4242-1179871-5e1f0a2b4026531836-k-9d0c1b2a.web1`; what follows a `~` tells several locks of one process apart. */
export const ownerName = ({ pid, started, boot, namespace, machine, isBacked }: LockOwner): string =>
  `${pid}-${started}-${boot}${namespace}-${isBacked ? 'k' : ''}-${machine}`

const namePattern = /^(\d+)-(\d*)-([\da-f]{8})?(\d*)(?:-(k?)-([\w.]*))?(?:~\w+)?$/

/** Undefined if the text is not the name of an owner. */
export function parseOwnerName(name: string): LockOwner | undefined {
  const [, pid, started = '', boot = '', namespace = '', backed, machine = ''] = namePattern.exec(name) ?? []
  return pid === undefined
    ? undefined
    : { pid: Number(pid), started, boot, namespace, machine, isBacked: backed === 'k' }
}

/** Whether an owner belongs to another machine, boot or container. */
export const isOnOtherMachine = ({ boot, namespace }: LockOwner): boolean =>
  boot !== surroundings().boot || namespace !== surroundings().namespace

/** Stands for the start time of a process that ended and that its parent has not collected yet. */
export const ended = 'ended'

/** Undefined if /proc does not show the process. */
export function startTimeOf(pid: number | 'self'): string | undefined {
  const stat = readText(`/proc/${pid}/stat`)
  // The second field is the program's name in parentheses, which may contain anything.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields && (/[ZX]/.test(fields[0] ?? '') ? ended : fields[19])
}

export const surroundings = once(() => ({
  boot: readText('/proc/sys/kernel/random/boot_id')?.slice(0, 8) ?? '',
  namespace: linkText('/proc/self/ns/pid').replace(/\D/g, ''),
  machine: `${readText('/etc/machine-id')?.slice(0, 8) ?? ''}.${hostname()}`.replace(/[^\w.]/g, '_').slice(0, 60),
}))

export const linkText = (path: string): string => ignoreErrors(() => readlinkSync(path)) ?? ''

const readText = (path: string): string | undefined => ignoreErrors(() => readFileSync(path, 'utf8'))

/**
 * Advisory locks of the operating system, which releases them when their process ends in any way, even a process that is invisible
 * from here. Node has no such locks; fs-native-extensions has binaries for every version of Node: locks of open file descriptions
 * on Linux, `flock` on macOS. Without a matching binary (Alpine's musl, other processors), or on file systems without such locks,
 * calctl does without them.
 */
interface KernelLocks {
  /** Throws `EAGAIN` if another open file has a conflicting lock. */
  tryLock(fd: number, offset: number, length: number, exclusive: boolean): void
}

/** Locks an open file for as long as it stays open; false where that is impossible. */
export const lockInKernel = (fd: number): boolean => tryKernelLock(fd, true) === 'locked'

export function tryKernelLock(fd: number, exclusive: boolean): 'locked' | 'in use' | undefined {
  try {
    kernelLocks()?.tryLock(fd, 0, 0, exclusive)
    return kernelLocks() && 'locked'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 'in use' : undefined
  }
}

/** The package's own loader takes 28 ms, this one less than 1. Windows cannot rename a folder that contains an open file. */
export const kernelLocks = once((): KernelLocks | undefined => {
  const { platform, arch } = process
  if (platform === 'win32') return undefined
  const require = createRequire(import.meta.filename)
  return ignoreErrors(() => require(`fs-native-extensions/prebuilds/${platform}-${arch}/fs-native-extensions.node`))
})
