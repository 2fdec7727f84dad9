import { escapeXml } from '../../../base/text/escaping.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { differenceText } from '../../../testing/parity/compare.ts'
import type { Outcome } from '../../../testing/parity/play.ts'
import { parityRows, parityTotal, percentSame } from '../../../testing/parity/report.ts'
import type { App } from '../../app.ts'
import { writeLines } from '../../terminal/sentences.ts'
import { parityShape } from '../shared/output-forms.ts'
import type { Played, Skip } from './play-all.ts'

/** Prints how the answers of a site differ from the recorded ones, in the requested format; sets the exit status. */
export async function printParity(app: App, { outcomes, skipped }: Played): Promise<void> {
  const { output, globals, world } = app
  const total = parityTotal(outcomes)
  const differing = outcomes.filter(({ differences }) => differences.length > 0)
  app.status = differing.length > 0 || outcomes.length === 0 ? 1 : 0
  // `calctl verify … | head` exits with the same status.
  world.statusUnread = app.status
  if (output === 'junit') await world.stdout.write(junitText({ outcomes, skipped }))
  else if (output === 'json' && !globals.fields)
    await app.printValue({
      ...total,
      family: undefined,
      skipped: skipped.length,
      families: parityRows(outcomes),
      differing,
      not_played: skipped,
    })
  else {
    await app.print(parityShape, parityRows(outcomes))
    if (output === undefined || output === 'table')
      for (const { name, differences } of differing)
        await writeLines(world, globals, world.stdout, `! ${name}: ${differences.map(differenceText).join('; ')}\n`)
  }
  const places = { same: total.same, exchanges: total.exchanges, percent: percentSame(total) }
  const counted = phrase('{same} of {exchanges} answers are as recorded ({percent} %)', places)
  await app.notice([counted, ...skippedTexts(skipped)].join('; '))
}

const skippedTexts = (skipped: Played['skipped']): string[] =>
  reasons.flatMap(reason => {
    const count = skipped.filter(one => one.reason === reason).length
    return count === 0 ? [] : [phrase('{count} not played: {reason}', { count, reason: reasonTexts[reason]() })]
  })

const reasons = ['write', 'user', 'record', 'front_page'] as const satisfies readonly Skip[]

const reasonTexts: Readonly<Record<Skip, () => string>> = {
  write: () => phrase('they need --write'),
  user: () => phrase('they need the credentials of another user'),
  record: () => phrase('they would change records that were there before'),
  front_page: () => phrase('they ask for the front page'),
}

/** A report for CI servers: a test case for each exchange. */
function junitText({ outcomes, skipped }: Played): string {
  const failures = outcomes.filter(({ differences }) => differences.length > 0).length
  const cases = [
    ...outcomes.map(outcomeCase),
    ...skipped.map(({ name, reason }) =>
      testCase({ name, family: 'not played' }, `<skipped message="${escapeXml(reasonTexts[reason]())}"/>`),
    ),
  ]
  const counts = `tests="${cases.length}" failures="${failures}" skipped="${skipped.length}"`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="calctl verify" ${counts}>\n${cases.join('')}</testsuite>\n`
}

function outcomeCase(outcome: Outcome): string {
  const texts = outcome.differences.map(differenceText)
  if (texts.length === 0) return testCase(outcome)
  return testCase(outcome, `<failure message="${escapeXml(texts[0] ?? '')}">${escapeXml(texts.join('\n'))}</failure>`)
}

function testCase({ name, family }: Pick<Outcome, 'name' | 'family'>, result?: string): string {
  const start = `  <testcase classname="${escapeXml(family)}" name="${escapeXml(name)}"`
  return result === undefined ? `${start}/>\n` : `${start}>\n    ${result}\n  </testcase>\n`
}
