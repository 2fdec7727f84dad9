import { closeSync, openSync, readFileSync, readlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { hostname } from 'node:os'
import { once } from '../memoize.ts'

/**
 * A process, told apart from every other that had or will have its pid: by when it started, and by the boot, the pid namespace
 * and the machine that its pid belongs to. Where there is no /proc, the pid and the machine are all there is.
 */
interface LockOwner {
  readonly pid: number
  /** In clock ticks since the boot. */
  readonly started: string
  readonly boot: string
  /** The pid namespace. */
  readonly namespace: string
  /** The host's name, after the beginning of its ID if it has one; empty in names that earlier builds gave. */
  readonly machine: string
  /** Whether the kernel keeps a lock on the owner's entry for as long as the process lives. */
  readonly isBacked?: boolean
}

/** This process. */
export const currentOwner = once(
  (): LockOwner => ({
    pid: process.pid,
    started: startOf('self') ?? '',
    ...surroundings(),
  }),
)

/** `4242-1179871-5e1f0a2b4026531836-k-9d0c1b2a.web1`; what follows a `~` tells several locks of one process apart. */
export const ownerName = ({ pid, started, boot, namespace, machine, isBacked }: LockOwner): string =>
  `${pid}-${started}-${boot}${namespace}-${isBacked ? 'k' : ''}-${machine}`

const namePattern = /^(\d+)-(\d*)-([\da-f]{8})?(\d*)(?:-(k?)-([\w.]*))?(?:~\w+)?$/

/** The owner with this name; undefined for any other text. */
export function parseOwnerName(name: string): LockOwner | undefined {
  const [, pid, started = '', boot = '', namespace = '', backed, machine = ''] = namePattern.exec(name) ?? []
  return pid === undefined
    ? undefined
    : { pid: Number(pid), started, boot, namespace, machine, isBacked: backed === 'k' }
}

/** Whether an owner is another machine's, or that of an earlier boot or another container. */
export const isElsewhere = ({ boot, namespace }: LockOwner): boolean =>
  boot !== surroundings().boot || namespace !== surroundings().namespace

/**
 * Whether a process is alive, as its entry and the operating system tell: `unseen` if neither can. Times decide nothing: clocks
 * are set, and machines have different ones.
 */
export function stateOf(owner: LockOwner, entry: string): 'alive' | 'dead' | 'unseen' {
  const here = surroundings()
  const isSameMachine = ['', here.machine].includes(owner.machine)
  const isSameKernel = isSameBoot(owner.boot, here.boot) ?? isSameMachine
  const isLocked = owner.isBacked ? isLockedInKernel(entry) : undefined
  // Some network file systems keep the locks of each machine to that machine: only a lock that is there proves something.
  if (isLocked !== undefined && (isLocked || isSameKernel)) return isLocked ? 'alive' : 'dead'
  // The processes of an earlier boot have ended; that two machines without an ID have the same name proves nothing.
  if (!isSameKernel) return isSameMachine && !here.machine.startsWith('.') ? 'dead' : 'unseen'
  if (owner.namespace === here.namespace) return stateOfProcess(owner)
  const mayBeSame = owner.namespace === '' || here.namespace === ''
  return mayBeSame && acceptsSignals(owner.pid) ? 'alive' : 'unseen'
}

/** Undefined if one of them is unknown. */
const isSameBoot = (one: string, other: string): boolean | undefined =>
  one === '' || other === '' ? undefined : one === other

function stateOfProcess({ pid, started }: LockOwner): 'alive' | 'dead' {
  if (!acceptsSignals(pid)) return 'dead'
  // /proc hides the processes of others with `hidepid`, and is that of another namespace in some containers.
  const found = hasOwnProc() ? startOf(pid) : undefined
  if (found === ended) return 'dead'
  return found === undefined || started === '' || found === started ? 'alive' : 'dead'
}

/** In place of the start of a process that ended, and waits for its parent to notice. */
const ended = 'ended'

/** When a process started; undefined if that cannot be seen. */
function startOf(pid: number | 'self'): string | undefined {
  const stat = readText(`/proc/${pid}/stat`)
  // The second field is the program's name in parentheses, and may hold anything.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields && (/[ZX]/.test(fields[0] ?? '') ? ended : fields[19])
}

let cached: Pick<LockOwner, 'boot' | 'namespace' | 'machine'> | undefined
function surroundings() {
  cached ??= {
    boot: readText('/proc/sys/kernel/random/boot_id')?.slice(0, 8) ?? '',
    namespace: linkText('/proc/self/ns/pid').replace(/\D/g, ''),
    machine: `${readText('/etc/machine-id')?.slice(0, 8) ?? ''}.${hostname()}`.replace(/[^\w.]/g, '_').slice(0, 60),
  }
  return cached
}

const hasOwnProc = (): boolean => linkText('/proc/self') === String(process.pid)

function linkText(path: string): string {
  try {
    return readlinkSync(path)
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

/** A process of another user refuses the signal with EPERM, and is alive. */
function acceptsSignals(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Advisory locks of the operating system, which it releases when the process that has one ends, however that ends: it knows about
 * processes that cannot be seen from here. Node has none of its own. fs-native-extensions brings them as binaries that run on every
 * version of Node: locks of open file descriptions on Linux, `flock` on macOS. Where its binary does not run (Alpine's musl, other
 * processors), or the file system has no such locks, calctl does without.
 */
interface KernelLocks {
  /** Throws `EAGAIN` if another open file has a lock that excludes this one. */
  tryLock(fd: number, offset: number, length: number, exclusive: boolean): void
}

/** Locks an open file for as long as it stays open; false where that is impossible. */
export const lockInKernel = (fd: number): boolean => tryLock(fd, true) === 'locked'

/** Whether a process has the file locked; undefined where that cannot be known. */
function isLockedInKernel(path: string): boolean | undefined {
  if (!kernelLocks()) return undefined
  try {
    const fd = openSync(path, 'r')
    try {
      const result = tryLock(fd, false)
      return result === undefined ? undefined : result === 'in use'
    } finally {
      closeSync(fd)
    }
  } catch {
    return undefined
  }
}

function tryLock(fd: number, exclusive: boolean): 'locked' | 'in use' | undefined {
  try {
    kernelLocks()?.tryLock(fd, 0, 0, exclusive)
    return kernelLocks() && 'locked'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 'in use' : undefined
  }
}

let loaded: { readonly locks: KernelLocks | undefined } | undefined
const kernelLocks = (): KernelLocks | undefined => {
  loaded ??= { locks: loadLocks() }
  return loaded.locks
}

/** The package's own loader takes 28 ms, this one less than 1. Windows renames no folder with an open file in it. */
function loadLocks(): KernelLocks | undefined {
  const { platform, arch } = process
  if (platform === 'win32') return undefined
  try {
    const require = createRequire(import.meta.filename)
    return require(`fs-native-extensions/prebuilds/${platform}-${arch}/fs-native-extensions.node`)
  } catch {
    return undefined
  }
}
