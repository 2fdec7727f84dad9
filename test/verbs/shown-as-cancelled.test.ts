import { expect, test } from 'vitest'
import { wordpressSite } from '../support/wordpress-site.ts'
import { worldOf } from '../support/world.ts'

/** A site with a cancelled, a postponed and an ordinary event. */
async function season() {
  const site = await wordpressSite({ options: '--now 2026-11-21T02:00:00Z' })
  for (const [title, day] of [
    ['Rain', '2026-11-24'],
    ['Snow', '2026-11-25'],
    ['Sun', '2026-11-26'],
  ] as const)
    await site.calctl(
      `events create --title ${title} --start-date "${day} 19:00" --end-date "${day} 21:00" --cost "12 €" -q`,
    )
  await site.calctl('events cancel 1 --reason "Rain & wind" -q')
  await site.calctl('events postpone 2 -q')
  const terminal = worldOf({ env: { ...site.env, NO_COLOR: '1' }, terminal: 100 })
  return { ...site, terminal }
}

test('a cancelled event is found, on a site whose lists do not say it', async () => {
  const { calctl } = await season()
  expect(await calctl('events list --where cancelled=yes -o ids')).toMatchObject({ status: 0, out: '1\n' })
  expect(await calctl('events list --where postponed=yes -o ids')).toMatchObject({ status: 0, out: '2\n' })
  expect(await calctl('events list --where cancelled=no -o ids')).toMatchObject({ status: 0, out: '2\n3\n' })
  expect(await calctl('events list --where cancelled=x')).toMatchObject({
    status: 2,
    err: expect.stringContaining('--where "cancelled=x": expected yes or no, got "x"'),
  })
})

test('a terminal shows which events do not take place', async () => {
  const { terminal, requests } = await season()
  requests()
  const { out } = await terminal('events list')
  expect(out).toMatch(/Rain .* cancelled/)
  expect(out).toMatch(/Snow .* postponed/)
  expect(requests()).toEqual(['GET /events', 'GET /wp/v2/tribe_events'])
  expect((await terminal('agenda')).out).toMatch(/Rain \(cancel·lat: Rain & wind\).*Snow \(ajornat\)/s)
  expect((await terminal('month')).out).toContain('(cancel·lat)')
  for (const line of ['agenda -o html', 'month 2026-11 -o markdown'])
    expect((await terminal(line)).out).toMatch(/Rain \(cancel·lat: Rain &(?:amp;)? wind\).*Snow \(ajornat\)/s)
  expect((await terminal('events get 1')).out).toContain('Rain (cancel·lat)')
})

test('a list in a pipe costs no request more, unless it is asked for the status', async () => {
  const { counted } = await season()
  expect((await counted('events list -o json')).requests).toEqual(['GET /events'])
  const { out } = await counted('events list --fields id,event_status -o json')
  expect(JSON.parse(out)).toEqual([
    { id: 1, event_status: 'canceled' },
    { id: 2, event_status: 'postponed' },
    { id: 3, event_status: '' },
  ])
})

test('a calendar says which events are cancelled, and calctl takes that back', async () => {
  const { calctl, file, ask } = await season()
  const { out } = await calctl('events list -o ics')
  expect(out.match(/^STATUS:.*$/gm)?.map(line => line.trim())).toEqual([
    'STATUS:CANCELLED',
    'STATUS:CONFIRMED',
    'STATUS:CONFIRMED',
  ])
  expect(out).toContain('X-CALCTL-EVENT-STATUS;VALUE=TEXT:postponed')
  const feed = file('feed.ics', out)
  await calctl('events update 1 2 --clear event_status -q')
  expect(await calctl(`apply ${feed} --yes`)).toMatchObject({ status: 0 })
  const meta = async (id: number) => (await ask(`GET /wp/v2/tribe_events/${id}?context=edit`)).meta
  expect([await meta(1), await meta(2)]).toMatchObject([
    { _tribe_events_status: 'canceled' },
    { _tribe_events_status: 'postponed' },
  ])
})

test('a sheet says by its column of statuses which events are cancelled', async () => {
  const { calctl, file, ask } = await season()
  const sheet = file('sheet.csv', 'id,title,Estat\n3,Sun,Cancel·lat\n1,Rain,Publicat\n')
  expect(await calctl(`apply ${sheet} --resource events --yes`)).toMatchObject({ status: 0 })
  expect((await ask('GET /wp/v2/tribe_events/3?context=edit')).meta._tribe_events_status).toBe('canceled')
})

test('the reason of a cancellation is read wherever it is shown or asked for', async () => {
  const { calctl, terminal } = await season()
  expect((await terminal('events get 1')).out).toMatch(/Reason +Rain & wind/)
  expect((await terminal('events get 1 --full')).out).toMatch(/cancelled.*Rain & wind/s)
  expect((await terminal('agenda')).out).toContain('Rain (cancel·lat: Rain & wind)')
  expect((await terminal('month')).out).toMatch(/\(cancel·lat\) .*\n.*│Rain/)
  const fields = 'title,event_status,event_status_reason'
  expect(JSON.parse((await calctl(`events get 1 --fields ${fields} -o json`)).out)).toEqual({
    title: 'Rain',
    event_status: 'canceled',
    event_status_reason: 'Rain & wind',
  })
  expect((await calctl('events list --fields event_status_reason -o csv')).out).toContain('Rain & wind')
  expect((await calctl('agenda --html -')).out).toContain('(cancel·lat: Rain &amp; wind)')
})

test('a plan says which status an event had, on a site whose answers do not', async () => {
  const { calctl } = await season()
  const change = async (line: string) => /event status [^,\n]*/.exec((await calctl(line)).out)?.[0]
  expect(await change('events update 1 --clear event_status --dry-run')).toBe('event status cancelled → (none)')
  expect(await change('events cancel 2 --dry-run')).toBe('event status postponed → cancelled')
  await calctl('events cancel 2 -q')
  expect(await change('undo --dry-run')).toBe('event status cancelled → postponed')
})

test('a narrow table cuts no status, whatever the titles and places', async () => {
  const { calctl, env } = await season()
  const [title, venue] = ['Concert '.repeat(9).trim(), 'Teatre '.repeat(9).trim()]
  await calctl(['events', 'update', '1', '--title', title, '-q'])
  await calctl(['events', 'update', '1', '--venue', venue, '--create-missing', '-q'])
  for (const columns of [70, 80, 90, 100]) {
    const catalan = worldOf({ env: { ...env, NO_COLOR: '1', LANG: 'ca_ES.UTF-8' }, terminal: columns })
    expect((await catalan('events list')).out, `${columns} columns`).toContain('cancel·lat')
  }
})
