import { expect, test } from 'vitest'
import { calendarWithFiles } from '../support/calendar-with-files.ts'
import { wordpressSite } from '../support/wordpress-site.ts'

const dates = '--start-date "2027-03-04 18:30" --end-date "2027-03-04 20:00"'

const statuses = '--status publish,draft,pending,private,future'

const listed = `events list --all-dates ${statuses} --fields title,status,hide_from_listings,date -o csv`

test.each([
  ['calendar file', calendarWithFiles],
  ['site', wordpressSite],
])(
  'drafts, private, scheduled and hidden events of a %s are the same in another one, by way of iCalendar',
  async (_, create) => {
    const from = await create()
    for (const more of [
      'Open',
      'Draft --status draft',
      'Waiting --status pending',
      'Ours --status private',
      'Later --status future --date "2096-01-01 10:00"',
      'Rehearsal --hide-from-listings',
    ])
      expect(await from.calctl(`events create --title ${more} ${dates}`)).toMatchObject({ status: 0 })
    const { out } = await from.calctl(`events list --all-dates ${statuses} -o ics`)
    const to = await create()
    const feed = to.file('b.ics', out)
    expect(await to.calctl(`apply ${feed} --yes --jobs 1`)).toMatchObject({ status: 0 })
    const rows = (text: string) =>
      text
        .replaceAll(/(?<!future.*)\d{4}-\d\d-\d\d .*/g, 'now')
        .split('\n')
        .toSorted()
    const [kept, expected] = [await to.calctl(listed), await from.calctl(listed)]
    expect(rows(kept.out)).toEqual(rows(expected.out))
    for (const calctl of [from.calctl, to.calctl])
      expect((await calctl(`diff --exit-code ${from.file('b.ics', out)}`)).out).toContain(
        `${titles(out)?.length} unchanged`,
      )
  },
)

/** A site with an event behind a password, one behind a password that is a draft, and a public one. */
async function siteWithProtected() {
  const site = await wordpressSite()
  const values = { start_date: '2027-03-04 18:30:00', end_date: '2027-03-04 20:00:00' }
  for (const [title, status] of [
    ['Behind', 'publish'],
    ['Unfinished', 'draft'],
  ] as const) {
    const { id } = await site.ask('POST /events', { ...values, title, status })
    await site.ask(`POST /wp/v2/tribe_events/${id}`, { password: 'sesame' })
  }
  await site.ask('POST /events', { ...values, title: 'Open' })
  return site
}

const titles = (ics: string) => ics.match(/(?<=^SUMMARY:).*(?=\r)/gm)?.toSorted()

test('a public feed has no protected events, although an editor reads them', async () => {
  const { calctl } = await siteWithProtected()
  const { out, err } = await calctl('events list --all-dates -o ics')
  expect([titles(out), err]).toEqual([['Open'], expect.stringMatching(/^left out 2 events that are drafts, /)])
})

test.each(['export events --human', 'agenda --from 2027-03-04 --html -', 'month 2027-03 --html -'])(
  'what is printed has no protected events, although an editor reads them: %s',
  async line => {
    const { calctl } = await siteWithProtected()
    const { out, err } = await calctl(line)
    expect([out.match(/Open|Behind|Unfinished/g), err]).toEqual([['Open'], expect.stringMatching(/^left out /)])
  },
)

test('an event that loses its password in a feed is created as private, with a notice at the export', async () => {
  const { calctl, file } = await siteWithProtected()
  const { out, err } = await calctl('events list --all-dates --status publish,draft -o ics')
  expect(titles(out)).toEqual(['Behind', 'Open', 'Unfinished'])
  expect(err).toContain(
    '2 events lose their passwords, which iCalendar does not have: at another calendar, apply creates them as private\n',
  )
  const to = await wordpressSite()
  expect(await to.calctl(`apply ${to.file('b.ics', out)} --yes`)).toMatchObject({ status: 0 })
  const created = await to.json('events list --all-dates --status publish,draft,private')
  expect(
    created.map(({ title, status }: { title: string; status: string }) => `${title} ${status}`).toSorted(),
  ).toEqual(['Behind private', 'Open publish', 'Unfinished draft'])
  expect((await to.calctl(`diff --exit-code ${to.file('b.ics', out)}`)).out).toMatch(/3 unchanged/)
  expect((await calctl(`diff --exit-code ${file('b.ics', out)}`)).out).toMatch(/3 unchanged/)
})

test('a single event is exported with the same notice', async () => {
  const { calctl } = await siteWithProtected()
  const { out, err } = await calctl('events get behind -o ics')
  expect([titles(out), err]).toEqual([['Behind'], expect.stringContaining('1 event loses its password, ')])
})
