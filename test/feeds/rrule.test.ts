import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { read } from '../support/record-files.ts'
import { skipped } from '../support/skipped.ts'

/** The starts of a series in a feed, read like any feed: `2026-12-05` for days, `2026-12-05 19:00:00` otherwise. */
async function starts(start: string, rule: string): Promise<string[]> {
  const lines = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:a', `DTSTART:${start}`, `RRULE:${rule}`]
  const text = [...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n')
  const { records } = await read(text, { name: 'feed.ics', until: '2100-12-31' })
  return records.map(({ mistakes, values }) => {
    if (mistakes[0]) return `expected ${mistakes[0].expected}`
    return String(values.start_date).slice(0, values.all_day === true ? 10 : 19)
  })
}

describe('a rule is expanded as RFC 5545 has it:', () => {
  test.each([
    [
      'the last weekday of a month',
      '20270129',
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3',
      ['2027-01-29', '2027-02-26', '2027-03-31'],
    ],
    [
      'the days from the end of a month',
      '20270130',
      'FREQ=DAILY;BYMONTHDAY=-1,-2;COUNT=4',
      ['2027-01-30', '2027-01-31', '2027-02-27', '2027-02-28'],
    ],
    [
      'every second week, which begins on Sunday',
      '20270105',
      'FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU,SU;COUNT=4',
      ['2027-01-05', '2027-01-17', '2027-01-19', '2027-01-31'],
    ],
    [
      'a week of the year',
      '20270308',
      'FREQ=YEARLY;BYWEEKNO=10;BYDAY=MO;COUNT=3',
      ['2027-03-08', '2028-03-06', '2029-03-05'],
    ],
    [
      'a weekday that has a number in the year',
      '20270104',
      'FREQ=YEARLY;BYDAY=1MO;COUNT=3',
      ['2027-01-04', '2028-01-03', '2029-01-01'],
    ],
    [
      'several hours of a day',
      '20270105T100000',
      'FREQ=DAILY;BYHOUR=10,16;COUNT=3',
      ['2027-01-05 10:00:00', '2027-01-05 16:00:00', '2027-01-06 10:00:00'],
    ],
    [
      'an UNTIL in UTC',
      '20270105T100000Z',
      'FREQ=DAILY;UNTIL=20270106T100000Z',
      ['2027-01-05 10:00:00', '2027-01-06 10:00:00'],
    ],
    [
      'hours are ignored where the start is a day (3.3.10)',
      '20270105',
      'FREQ=DAILY;BYHOUR=10,16;BYMINUTE=5;COUNT=2',
      ['2027-01-05', '2027-01-06'],
    ],
  ])('%s', async (_, start, rule, expected) => {
    expect(await starts(start, rule)).toEqual(expected)
  })
})

test.each(['FREQ=SECONDLY;BYSETPOS=3', 'FREQ=SECONDLY;INTERVAL=2;BYSECOND=1', 'FREQ=MINUTELY;INTERVAL=2;BYMINUTE=1'])(
  '%s, which never has a date, is refused',
  async rule => {
    expect(await starts('20270105T100000', rule)).toEqual(['expected a rule that matches a date'])
  },
)

const feeds = process.env.CALCTL_PUBLIC_FEEDS ?? resolve(import.meta.dirname, '../../../shared/public-feeds')
const libicalFile = join(feeds, 'libical-icalrecur_test.txt')

/**
 * The rules of libical's icalrecur_test.txt, by position, that are refused or read otherwise. 77, 78: FREQ=YEARLY;BYMONTHDAY
 * without BYMONTH, which libical reads as the month of DTSTART, python-dateutil as every month: refused. 80: libical answers "not
 * implemented".
 */
const disagreements = [77, 78, 80]

const lacksLibical = !existsSync(libicalFile)

test.skipIf(lacksLibical)(
  `the rules of libical’s own test give the dates that libical expects${skipped(lacksLibical, 'no feeds in CALCTL_PUBLIC_FEEDS')}`,
  async () => {
    const cases: { rule: string; start: string; expected: string[] }[] = []
    for (const block of readFileSync(libicalFile, 'utf8').split(/\n\s*\n/)) {
      const lineOf = (name: string) => new RegExp(`^${name}:(.*)$`, 'm').exec(block)?.[1]?.trim()
      const [rule, start, instances] = [lineOf('RRULE'), lineOf('DTSTART'), lineOf('INSTANCES')]
      if (rule && start && instances) cases.push({ rule, start, expected: instances.split(',') })
    }
    const wrong: number[] = []
    for (const [index, { rule, start, expected }] of cases.entries()) {
      // A series begins with DTSTART, whether the rule matches it or not (RFC 5545, 3.8.5.3).
      const dates = [...new Set([start, ...expected].map(asWall))].toSorted()
      if ((await starts(start, rule)).join() !== dates.join()) wrong.push(index + 1)
    }
    expect(cases).toHaveLength(146)
    expect(wrong).toEqual(disagreements)
  },
  60_000,
)

const asWall = (text: string): string =>
  text.replace(/^(\d{4})(\d{2})(\d{2})/, '$1-$2-$3').replace(/T(\d{2})(\d{2})(\d{2})Z?$/, ' $1:$2:$3')
