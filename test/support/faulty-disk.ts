import { type Disk, disk } from '../../src/service/store/disk.ts'

const systemError = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall })

/** The real disk, with room for only half of the next write while it is `full`. It counts its flushes. */
export function faultyDisk(): Disk & { full: boolean; broken: boolean; flushes: number } {
  return {
    full: false,
    broken: false,
    flushes: 0,
    write(fd, bytes, position) {
      disk.write(fd, this.full ? bytes.subarray(0, bytes.length / 2) : bytes, position)
      if (this.full) throw systemError('ENOSPC', 'write')
    },
    async flush(fd) {
      this.flushes++
      if (this.broken) throw systemError('EIO', 'fdatasync')
      await disk.flush(fd)
    },
  }
}
