import { expect, test } from 'vitest'
import { failDisk } from '../soak/disk-errors.ts'
import { cutJournals } from '../soak/journal-cuts.ts'
import { killEverywhere } from '../soak/kill-everywhere.ts'
import { cutPower } from '../soak/power-cuts.ts'
import { stopEverywhere } from '../soak/stop-everywhere.ts'
import { changeOwners } from '../soak/two-owners.ts'
import { tempCalendarFile } from '../support/temp-calendar-file.ts'

/** `npm run soak` does all of it. */
const isSoak = process.env.SOAK_ROUNDS !== undefined
const seed = Number(process.env.SOAK_SEED ?? 1)
const timeout = isSoak ? 1_200_000 : 240_000

test('after a power cut, whatever reached the disk, nothing acknowledged is lost', { timeout }, async () => {
  const { states, problems } = await cutPower(isSoak ? 2000 : 30, seed)
  console.log(`${states} states after a power cut, ${problems.length} problems`)
  expect(problems).toEqual([])
})

test('a journal that was cut opens with all that is whole, and damage is reported', { timeout }, async () => {
  const { cuts, flips, reported, problems } = await cutJournals(isSoak ? 1500 : 60, isSoak ? 1500 : 40, seed)
  console.log(`${cuts} cuts and ${flips} changed bits of journals (${reported} reported), ${problems.length} problems`)
  expect(problems).toEqual([])
})

test('whatever operation of the disk fails, nothing refused is kept and nothing acknowledged lost', {
  timeout,
}, async () => {
  const { faults, refused, problems } = await failDisk(isSoak ? 582 : 16)
  console.log(`${faults} faults of the disk, ${refused} writes refused, ${problems.length} problems`)
  expect(problems).toEqual([])
})

test('processes killed at each of their operations on files leave everything acknowledged, and nothing else', {
  timeout,
}, async () => {
  const outcome = await killEverywhere(tempCalendarFile().file, isSoak ? 300 : 5)
  const { kills, operations, acknowledged, problems } = outcome
  console.log(
    `${kills} kills at ${operations} operations, ${acknowledged} writes acknowledged, ${problems.length} problems`,
  )
  expect(problems).toEqual([])
})

test('owners stopped at each of their operations on files, and taken over, write nothing into what the next one has', {
  timeout,
}, async () => {
  const outcome = await stopEverywhere(tempCalendarFile().file, isSoak ? 150 : 3)
  const { stops, operations, acknowledged, problems } = outcome
  console.log(
    `${stops} stops at ${operations} operations, ${acknowledged} writes acknowledged, ${problems.length} problems`,
  )
  expect(problems).toEqual([])
})

test('owners that were stopped and lost their file lose nothing of it, and notice before they write again', {
  timeout,
}, async () => {
  const outcome = await changeOwners(tempCalendarFile().file, isSoak ? 30 : 1)
  const { takeovers, acknowledged, refused, problems } = outcome
  console.log(
    `${takeovers} takeovers, ${refused} noticed, ${acknowledged} writes acknowledged, ${problems.length} problems`,
  )
  expect(problems).toEqual([])
})
