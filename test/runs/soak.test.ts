import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Soak, soak } from '../soak/run.ts'

/** `npm run soak` sets much more. */
const small = { tenth: 1, faults: '--fail 3%:reset --latency 0-10ms', stops: ['SIGINT', 'SIGKILL'] } as const
const whole = {
  tenth: 100,
  faults: '--fail 10%:503 --fail 5%:reset --fail 2%:timeout --latency 0-30ms',
  stops: ['SIGINT', 'SIGKILL', 'SIGINT', 'SIGKILL'],
} as const
const { timeout, ...what } = process.env.SOAK_ROUNDS ? { ...whole, timeout: 3_600_000 } : { ...small, timeout: 600_000 }

test('a run that is interrupted and killed on a bad line, while somebody edits, does everything once and can be undone', {
  timeout,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-soak-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { before, intended, after, undone, starts } = await soak({ folder, ...what } satisfies Soak)
  console.log(`${what.tenth * 10} steps, ${what.stops.length} stops, ${starts} starts`)
  expect(Object.keys(after).toSorted()).toEqual(Object.keys(intended).toSorted())
  expect(after).toMatchObject(intended)
  expect(undone).toEqual(before)
})
