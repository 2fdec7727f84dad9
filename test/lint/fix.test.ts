import { expect, test } from 'vitest'
import { toUtc } from '../../src/base/time/zone.ts'
import { stagedSite } from '../support/staged-site.ts'
import { testTime } from '../support/world.ts'
import { calendarOf, cleanCalendar } from './clean-calendar.ts'

const messy = () => {
  const rows = cleanCalendar(2)
  const [one, two, three, four, five, six] = rows.events
  Object.assign(one ?? {}, {
    title: 'CafÃ© &amp;amp; teatre',
    description: '<p class="MsoNormal">MÃºsica <b>i cançons a la plaça del poble',
  })
  Object.assign(two ?? {}, {
    description: '<p>Una tarda</div> de <a href="http://town.example/x">cançons</a> a 20 &amp;euro;</p>',
  })
  Object.assign(three ?? {}, { website: 'http://town.example/tres', excerpt: 'lâ€™any' })
  Object.assign(four ?? {}, { utc_start_date: four?.start_date, utc_end_date: four?.end_date })
  Object.assign(five ?? {}, { timezone: 'UTC+1', featured: true })
  Object.assign(six ?? {}, {
    status: 'private',
    start_date: '2026-03-02 18:00:00',
    end_date: '2026-03-02 19:00:00',
    utc_start_date: '2026-03-02 17:00:00',
    utc_end_date: '2026-03-02 18:00:00',
    sticky: true,
    featured: true,
  })
  Object.assign(rows.venues[0] ?? {}, { venue: 'Sala Ã€gora', description: '<p style="mso-x:1; color: red">Gran' })
  Object.assign(rows.tags[0] ?? {}, { name: 'MÃºsica' })
  return calendarOf(rows)
}

const utcOf = ({ start_date, end_date, timezone }: Record<string, unknown>) => ({
  utc_start_date: toUtc(String(start_date), String(timezone)),
  utc_end_date: toUtc(String(end_date), String(timezone)),
})

const everything =
  'events list --all --all-dates --fields title,start_date,end_date,description,excerpt,website,timezone,featured,sticky,status,utc_start_date,utc_end_date --json -q'

test('lint --fix leaves none of the fixable, and an undo gives everything back', async () => {
  const calctl = messy()
  const before = (await calctl(everything)).out
  expect((await calctl('lint -q -o json')).out).toContain('"fixable": true')
  const { status, err } = await calctl('lint --fix --yes')
  expect(err).toMatch(/8 done\. Undo: calctl undo \w+\n/)
  expect(status).toBe(0)
  expect(await calctl('lint')).toMatchObject({ status: 0, out: '' })
  const after = JSON.parse((await calctl(everything)).out) as Record<string, unknown>[]
  expect(after).toContainEqual(
    expect.objectContaining({
      title: 'Café &amp; teatre',
      description: '<p>Música <b>i cançons a la plaça del poble</b>',
    }),
  )
  expect((await calctl('undo --yes')).status).toBe(0)
  // No API writes the time in UTC: the site has worked it out, and an undo leaves it right.
  const undone = JSON.parse((await calctl(everything)).out) as Record<string, unknown>[]
  const expected = (JSON.parse(before) as Record<string, unknown>[]).map(event => ({ ...event, ...utcOf(event) }))
  expect(undone).toEqual(expected)
})

test('lint --fix --dry-run shows the plan and changes nothing', async () => {
  const calctl = messy()
  const before = (await calctl(everything)).out
  const { status, out } = await calctl('lint --fix --dry-run')
  expect(out).toContain('~ "')
  expect(status).toBe(1)
  expect((await calctl(everything)).out).toBe(before)
})

test('lint --fix asks first, and does nothing without an answer', async () => {
  const calctl = messy()
  const { status, err } = await calctl('lint --fix')
  expect(status).toBe(8)
  expect(err).toContain('add --yes')
})

test('what needs a decision is counted after a fix, and decides its status', async () => {
  const rows = cleanCalendar(2)
  Object.assign(rows.events[0] ?? {}, { title: 'CafÃ©' })
  Object.assign(rows.events[1] ?? {}, { description: '<b><i>Una tarda de cançons a la plaça</b></i>' })
  const { status, err } = await calendarOf(rows)('lint --fix --yes')
  expect(err).toContain('1 warning needs a decision; see: calctl lint\n')
  expect(status).toBe(1)
})

const dates = { start_date: '2026-12-05 19:00:00', end_date: '2026-12-05 21:00:00' }

test('at a site of WordPress, texts are put right as they are stored', async () => {
  const { calctl } = await stagedSite({}, { now: testTime })
  const texts = { title: "CafÃ© -- 'teatre'", description: 'MÃºsica <b>i\n\ncançons a la plaça del poble' }
  await calctl('api POST /tribe/events/v1/events --input -', JSON.stringify({ ...texts, ...dates }))
  // What is shown before and after an arrow are two forms of one kind.
  expect((await calctl('lint events --fix --dry-run')).out).toContain(
    `title "CafÃ© -- 'teatre'" → "Café -- 'teatre'", description "MÃºsica <b>i cançons a la plaça del poble" → "Música <b>i`,
  )
  const { err, status } = await calctl('lint events --fix --yes')
  expect(err).toContain('1 done')
  expect(status).toBe(0)
  const stored = JSON.parse((await calctl('export events -o json -q')).out)
  expect(JSON.stringify(stored)).toContain('"title":"Café -- \'teatre\'"')
  expect(JSON.stringify(stored)).toContain('Música <b>i\\n\\ncançons a la plaça del poble</b>')
})

test('where a site does not show what it stores, texts have no safe answer', async () => {
  const { calctl } = await stagedSite({}, { now: testTime, options: '--no-wp' })
  const texts = { title: 'Cafè', description: 'MÃºsica a la plaça' }
  await calctl('api POST /tribe/events/v1/events --input -', JSON.stringify({ ...texts, ...dates }))
  const { out } = await calctl('lint events --only mojibake')
  expect(out).toMatch(/\[mojibake\]\n {4}calctl events get \d+/)
})
