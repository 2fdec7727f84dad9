import { closeSync, openSync } from 'node:fs'
import { ignoreErrors } from '../attempt.ts'
import { ended, kernelLocks, type LockOwner, linkText, startTimeOf, surroundings, tryKernelLock } from './owner.ts'

/**
 * Whether a process is alive, according to its entry and the operating system; `unseen` if neither can tell. Times are not
 * compared: clocks are set, and differ between machines.
 */
export function stateOf(owner: LockOwner, entry: string): 'alive' | 'dead' | 'unseen' {
  const here = surroundings()
  const isSameMachine = ['', here.machine].includes(owner.machine)
  const isSameKernel = isSameBoot(owner.boot, here.boot) ?? isSameMachine
  const isLocked = owner.isBacked ? isLockedInKernel(entry) : undefined
  // Some network file systems keep locks local to each machine: the presence of a lock proves something, its absence does not.
  if (isLocked !== undefined && (isLocked || isSameKernel)) return isLocked ? 'alive' : 'dead'
  // The processes of an earlier boot have ended. Two machines without an ID may have the same name.
  if (!isSameKernel) return isSameMachine && !here.machine.startsWith('.') ? 'dead' : 'unseen'
  if (owner.namespace === here.namespace) return stateOfProcess(owner)
  const mayBeSame = owner.namespace === '' || here.namespace === ''
  return mayBeSame && acceptsSignals(owner.pid) ? 'alive' : 'unseen'
}

const isSameBoot = (one: string, other: string): boolean | undefined =>
  one === '' || other === '' ? undefined : one === other

function stateOfProcess({ pid, started }: LockOwner): 'alive' | 'dead' {
  if (!acceptsSignals(pid)) return 'dead'
  // With `hidepid`, /proc hides the processes of other users; in some containers, it shows another namespace.
  const found = hasOwnProc() ? startTimeOf(pid) : undefined
  if (found === ended) return 'dead'
  return found === undefined || started === '' || found === started ? 'alive' : 'dead'
}

const hasOwnProc = (): boolean => linkText('/proc/self') === String(process.pid)

/** EPERM means that the process is alive, and belongs to another user. */
function acceptsSignals(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Undefined where that cannot be determined. */
function isLockedInKernel(path: string): boolean | undefined {
  const fd = kernelLocks() && ignoreErrors(() => openSync(path, 'r'))
  if (fd === undefined) return undefined
  const result = tryKernelLock(fd, false)
  ignoreErrors(() => closeSync(fd))
  return result && result === 'in use'
}
