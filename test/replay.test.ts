import { expect, test } from 'vitest'
import { rules } from './replay/left-out.ts'
import { onPurpose } from './replay/on-purpose.ts'
import { play } from './replay/play.ts'
import { groups } from './replay/recording.ts'

/** How many exchanges must match. It only ever rises. */
const floor = 496

test('--quirks answers what a real site answered', async () => {
  const outcomes = (await Promise.all(groups().map(play))).flat()
  const differing = outcomes.filter(({ differences }) => differences.length > 0)
  const matching = outcomes.length - differing.length
  const surprises = differing.filter(({ name }) => !onPurpose.has(name))

  console.log(`${matching} of ${outcomes.length} recorded exchanges match (${percent(matching, outcomes.length)})`)
  for (const { reason } of rules) console.log(`left out: ${reason}`)
  for (const [name, reason] of onPurpose) console.log(`different on purpose: ${name}: ${reason}`)
  for (const { name, differences } of surprises) console.log(`${name}\n  ${differences.slice(0, 6).join('\n  ')}`)

  expect(matching).toBeGreaterThanOrEqual(floor)
})

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`
