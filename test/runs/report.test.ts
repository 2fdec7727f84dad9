import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Failure } from '../../src/base/failure.ts'
import { speak } from '../../src/base/words/phrase.ts'
import { createProgress } from '../../src/changes/carry-out/progress.ts'
import { outcomeSummary, type StepResult } from '../../src/changes/run/result.ts'

/** The progress output of 100 steps, one every so many ms; every tenth fails. */
async function progressOf(isTTY: boolean, interval: number, say?: string): Promise<string> {
  let time = 0
  let written = ''
  const sink = {
    write: async (text: string | Uint8Array) => {
      written += text
    },
    isTTY,
    columns: 80,
  }
  const progress = createProgress(sink, 100, () => time)
  for (let step = 0; step < 100; step++) {
    time += interval
    await progress.step(step % 10 === 9)
  }
  if (say !== undefined) await progress.say(say)
  await progress.end()
  return written
}

test('progress in a pipe is one line every ten seconds at most', async () => {
  expect(await progressOf(false, 20)).toBe('')
  const lines = (await progressOf(false, 400)).split('\n')
  expect(lines).toEqual([
    '23 of 100 done (23 %), 2 failed, 2.5/s, 30 s left',
    '45 of 100 done (45 %), 5 failed, 2.5/s, 20 s left',
    '68 of 100 done (68 %), 7 failed, 2.5/s, 10 s left',
    '90 of 100 done (90 %), 10 failed, 2.5/s, 0 s left',
    '',
  ])
})

test('progress on a terminal is one line that counts what is done, redrawn and finally erased', async () => {
  const draws = (await progressOf(true, 20)).split('\r\u001b[K')
  expect(draws.slice(1, 3)).toEqual([
    '5 of 100 done (5 %), 50/s, 2 s left',
    '9 of 100 done (9 %), 1 failed, 50/s, 2 s left',
  ])
  expect(draws.at(-1)).toBe('')
})

test('a sentence stands above the line of progress', async () => {
  const last = '90 of 100 done (90 %), 10 failed, 50/s, 0 s left'
  expect(await progressOf(true, 20, 'stopping')).toMatch(new RegExp(`stopping\n${last.replace(/[()]/g, '\\$&')}\r`))
  expect(await progressOf(false, 20, 'stopping')).toBe('stopping\n')
})

test('the outcome of a run is counted in one sentence', () => {
  const failure = new Failure('refused', 'refused by the site')
  const ending = (invalid: number, ...results: StepResult[]) =>
    outcomeSummary(
      { invalid: Array.from({ length: invalid }, () => ({ at: 'row 2', message: 'wrong' })) },
      { results: new Map(results.map((result, index) => [String(index), result])) },
    )
  const [done, failed, unknown] = [
    { state: 'done' },
    { state: 'failed', failure },
    { state: 'unknown', failure },
  ] as const
  expect(ending(0, done, done)).toBe('2 done')
  expect(ending(0, done, { ...done, failure })).toBe('2 done (1 not as requested)')
  expect(ending(0, done, unknown)).toBe('1 done, 1 unknown')
  expect(ending(2, done, failed, unknown, { state: 'skipped' })).toBe(
    '1 done, 1 failed, 1 unknown, 1 not sent, 2 invalid',
  )
})

test.each(['ca', 'es'] as const)('the progress is said in the language of the interface: %s', async language => {
  const folder = join(import.meta.dirname, '../../src/base/words')
  speak(language, JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8')))
  onTestFinished(() => speak('en'))
  const written: string[] = []
  let now = 0
  const progress = createProgress({ write: async text => void written.push(text) }, 27, () => now)
  for (let sent = 1; sent <= 26; sent++) {
    now += 400
    await progress.step()
  }
  expect(written.join('')).toContain(', 2,5/s, falta 1 s\n')
})
