import { expect, test } from 'vitest'
import { rules } from './left-out.ts'
import { onPurpose } from './on-purpose.ts'
import { play } from './play.ts'
import { groups } from './recording.ts'

/** The number of exchanges that must match. It may only rise. */
const floor = 896

test('with quirks, the service answers as a real site did', async () => {
  const outcomes = (await Promise.all(groups().map(play))).flat()
  const differing = outcomes.filter(({ differences }) => differences.length > 0)
  const matching = outcomes.length - differing.length
  const percent = ((100 * matching) / outcomes.length).toFixed(1)
  const surprising = differing.filter(({ name }) => !onPurpose.has(name))

  console.log(
    [
      `${matching} of ${outcomes.length} recorded exchanges match (${percent} %)`,
      ...rules.map(({ reason }) => `left out: ${reason}`),
      ...[...onPurpose].map(([name, reason]) => `different on purpose: ${name}: ${reason}`),
      ...surprising.map(({ name, differences }) => `different: ${name}\n  ${differences.slice(0, 6).join('\n  ')}`),
    ].join('\n'),
  )

  expect(matching).toBeGreaterThanOrEqual(floor)
  expect([...onPurpose.keys()].filter(name => differing.every(outcome => outcome.name !== name))).toEqual([])
})
