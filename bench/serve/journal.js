// The upper limit that the disk sets: lines as long as a create's, flushed before they are acknowledged; callers share a flush.
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'

/** As long as the journal line of a create. */
export const line = `${'x'.repeat(599)}\n`

/** Acknowledged lines per second for this many callers. */
export async function journalRate(folder, callers, ms = 1500) {
  const path = join(folder, 'bare.journal')
  const file = await open(path, 'a')
  let waiting = []
  let isFlushing = false
  async function flush() {
    isFlushing = true
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      await file.write(line.repeat(group.length))
      await file.datasync()
      for (const acknowledge of group) acknowledge()
    }
    isFlushing = false
  }
  const append = () =>
    new Promise(acknowledge => {
      waiting.push(acknowledge)
      if (!isFlushing) void flush()
    })
  let count = 0
  const start = performance.now()
  const caller = async () => {
    while (performance.now() - start < ms) {
      await append()
      count++
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  const rate = (count * 1000) / (performance.now() - start)
  await file.close()
  await rm(path)
  return rate
}
