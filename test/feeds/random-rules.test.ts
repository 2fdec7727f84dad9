import { RRuleTemporal } from 'rrule-temporal'
import { expect, test } from 'vitest'
import { InvalidProperty } from '../../src/files/icalendar/invalid-property.ts'
import { expandRule } from '../../src/files/icalendar/rrule.ts'
import { naiveDates } from '../soak/naive-rule.ts'
import { type RandomRule, randomRules } from '../soak/random-rules.ts'

const isSoak = process.env.SOAK_ROUNDS !== undefined

/** In ms: many rules take a quarter of an hour on a slow machine. */
const timeLimit = isSoak ? 3_600_000 : 60_000

/** rrule-temporal expands BYMONTHDAY next to BYYEARDAY or BYWEEKNO, where the RFC has it limit, among others. */
const leastAgreement = 0.9

test(
  'random rules give the dates that RFC 5545 has, or are refused',
  () => {
    const counts = { rules: 0, refused: 0, asNaive: 0, asTemporal: 0 }
    const different: string[] = []
    for (const random of randomRules(isSoak ? 10_000 : 200, 1)) {
      const dates = datesOf(random)
      counts.rules += 1
      if (dates === undefined) {
        counts.refused += 1
        continue
      }
      const { start, rule, until } = random
      if (naiveDates(start, rule, until).join() === dates) counts.asNaive += 1
      else different.push(`${start} ${rule}`)
      if (isSoak && temporalDates(random) === dates) counts.asTemporal += 1
    }
    if (isSoak) process.stdout.write(`${JSON.stringify(counts)}\n`)
    expect(different).toEqual([])
    expect(counts.refused).toBeLessThan(0.3 * counts.rules)
    if (isSoak) expect(counts.asTemporal).toBeGreaterThan(leastAgreement * counts.asNaive)
  },
  timeLimit,
)

/** Undefined for a rule that is refused; one without a date is. */
function datesOf({ start, rule, until }: RandomRule): string | undefined {
  try {
    return expandRule(start, rule, { until }).starts.join()
  } catch (error) {
    if (!(error instanceof InvalidProperty)) throw error
    if (error.expected.includes('matches')) expect([rule, naiveDates(start, rule, until)]).toEqual([rule, []])
    return undefined
  }
}

function temporalDates({ start, rule, until }: RandomRule): string {
  const rruleString = `DTSTART:${start.replace(/[-:]/g, '').replace(' ', 'T')}Z\nRRULE:${rule}`
  const series = new RRuleTemporal({ rruleString, maxIterations: 10_000 })
  try {
    const dates = series.between(new Date(`${start.replace(' ', 'T')}Z`), new Date(`${until}T23:59:59Z`), true)
    return dates.map(date => date.toString().slice(0, 19).replace('T', ' ')).join()
  } catch (error) {
    // rrule-temporal gives up on rules with few dates or none.
    return String(error)
  }
}
