import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { msWall, wallMs } from '../../src/base/time/dates.ts'
import { toUtc } from '../../src/base/time/zone.ts'
import { randomSeries } from '../soak/random-series.ts'
import { read } from '../support/record-files.ts'

/** `npm run soak` reads many more. */
const count = process.env.SOAK_ROUNDS === undefined ? 50 : 10_000

test('series with dates left out, added and moved have the events of RFC 5545, and those of ical.js', {
  timeout: 3_600_000,
}, async () => {
  const different: string[] = []
  const counts = { series: 0, equal: 0, asICal: 0, doubles: 0 }
  for (let seed = 1; seed <= count; seed++) {
    const { text, starts, hasDoubles } = randomSeries(seed)
    const { records } = await read(text, { name: 'feed.ics', until: '2029-12-31', timezone: 'Europe/Madrid' })
    const zone = text.includes('TZID=America') ? 'America/New_York' : 'Europe/Madrid'
    const found = records
      .filter(({ action }) => action !== 'trash')

      .map(({ values }) => instantOf(String(values.start_date), String(values.timezone ?? zone)))
      .toSorted()
    const expected = starts.map(wall => (/DTSTART:\d{8}T\d{6}Z/.test(text) ? wall : toUtc(wall, zone))).toSorted()
    counts.series += 1
    counts.doubles += hasDoubles ? 1 : 0
    if (found.join() === expected.join()) counts.equal += 1
    else different.push(`${seed}: ${found.join()} in place of ${expected.join()}\n${text}`)
    if (startsByICal(text).join() === starts.join()) counts.asICal += 1
  }
  if (process.env.SOAK_ROUNDS !== undefined) process.stdout.write(`${JSON.stringify(counts)}\n`)
  expect(different.slice(0, 3)).toEqual([])
  expect(counts.asICal).toBe(counts.series)
})

/** A time that is read: a wall time of the zone of its event, or an instant. */
const instantOf = (text: string, zone: string): string =>
  text.length > 19 ? msWall(Date.parse(text)) : toUtc(msWall(wallMs(text)), zone)

function startsByICal(text: string): string[] {
  const [master, ...others] = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
  if (!master) return []
  const event = new ICAL.Event(master, { exceptions: others })
  const dates = event.iterator()
  const starts: string[] = []
  for (let next = dates.next(); next; next = dates.next())
    starts.push(event.getOccurrenceDetails(next).startDate.toString().slice(0, 19).replace('T', ' '))
  return starts.toSorted()
}
