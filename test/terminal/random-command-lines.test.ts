import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runRandomLines } from '../soak/argv-fuzzer.ts'

const folder = mkdtempSync(join(tmpdir(), 'calctl-lines-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** `npm run soak` runs many more, with another seed every time. */
const isSoak = process.env.SOAK_ROUNDS !== undefined
const [count, seed] = isSoak ? [6000, Date.now()] : [100, 7]

test('no command line ends with a stack trace', { timeout: 1_200_000, retry: 0 }, async () => {
  const { statuses, bugs } = await runRandomLines(count, seed, folder)
  console.log(JSON.stringify({ lines: count, seed, statuses }))
  expect(bugs.slice(0, 10)).toEqual([])
})
