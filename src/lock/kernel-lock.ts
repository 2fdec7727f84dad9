import { closeSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'

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
export function isLockedInKernel(path: string): boolean | undefined {
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
