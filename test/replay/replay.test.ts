import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { rules } from './left-out.ts'
import { onPurpose } from './on-purpose.ts'
import { playGroup } from './play-group.ts'
import { differenceText } from './player/compare.ts'
import type { Outcome } from './player/play.ts'
import { type ParityRow, parityRows, parityTotal, percentSame } from './player/report.ts'
import { groups } from './recorded-groups.ts'

const page = join(resolve(import.meta.dirname, '../..'), 'docs/parity.md')

/** The number of exchanges that must match. It may only rise. */
const floor = 952

test('with quirks, the service answers as a real site did, and docs/parity.md says how nearly', async () => {
  const outcomes = (await Promise.all(groups().map(playGroup))).flat()
  const differing = outcomes.filter(({ differences }) => differences.length > 0)
  const surprising = differing.filter(({ name }) => !onPurpose.has(name))
  console.log(
    surprising
      .map(
        ({ name, differences }) => `different: ${name}\n  ${differences.slice(0, 6).map(differenceText).join('\n  ')}`,
      )
      .join('\n'),
  )
  expect(outcomes.length - differing.length).toBeGreaterThanOrEqual(floor)
  expect([...onPurpose.keys()].filter(name => differing.every(outcome => outcome.name !== name))).toEqual([])
  await expect(parityPage(outcomes)).toMatchFileSnapshot(page)
})

/** The page of the documents: the table, and each difference with its reason. */
function parityPage(outcomes: readonly Outcome[]): string {
  const total = parityTotal(outcomes)
  const differing = outcomes.filter(({ differences }) => differences.length > 0)
  return `# How like a real site the stand-in is

A test plays ${total.exchanges} recorded exchanges with The Events Calendar 6.17.2 for WordPress against \`calctl serve --quirks\`; \`npm run parity\`
makes this page of it. ${total.same} answers (${percentSame(total)} %) are the same: status, error code, headers of lists, every key and every value.

| Requests | Exchanges | Same | Other status | Other code | Other keys | Other values |
| --- | --: | --: | --: | --: | --: | --: |
${parityRows(outcomes).map(rowOf).join('\n')}
${rowOf({ ...total, family: 'all' })}

## The differences

${differing.map(differenceLine).join('\n')}

Not played: ${rules.map(({ reason }) => reason).join('; ')}.
`
}

const rowOf = ({ family, exchanges, same, status, code, keys, values }: ParityRow): string =>
  `| \`${family}\` | ${[exchanges, same, status, code, keys, values].map(count => count || '').join(' | ')} |`

const differenceLine = ({ name, family, differences }: Outcome): string =>
  `- \`${family}\` (${name}): ${onPurpose.get(name) ?? 'not explained yet'}; ${[...new Set(differences.map(({ path }) => `\`${path}\``))].slice(0, 3).join(', ')}`
