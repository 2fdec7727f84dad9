// The most a disk acknowledges: appends as long as a create's journal line, each flushed before the next.
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'

/** Lines a second that are on disk before they are acknowledged, with `callers` sharing a flush. */
export async function journalRate(folder, callers, length = 700, ms = 1500) {
  const path = join(folder, 'bare.journal')
  const file = await open(path, 'a')
  const lines = Buffer.from(`${'x'.repeat(length - 1)}\n`.repeat(callers))
  const start = performance.now()
  let flushes = 0
  while (performance.now() - start < ms) {
    await file.write(lines)
    await file.datasync()
    flushes++
  }
  const rate = (flushes * callers * 1000) / (performance.now() - start)
  await file.close()
  await rm(path)
  return rate
}
