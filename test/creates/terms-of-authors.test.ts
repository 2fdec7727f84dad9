import { expect, test } from 'vitest'
import { wordpressSite } from '../support/wordpress-site.ts'

const when = '--start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"'
const site = (role: string) =>
  wordpressSite({
    options: `--user guest:secret:${role}`,
    env: { CALCTL_USER: 'guest' },
  })

test.each(['author', 'contributor'])(
  'a tag that the %s may not create alone is created with the event that names it',
  async role => {
    const { calctl, ask } = await site(role)
    const created = await calctl(
      `events create --title Swing ${when} --status draft --tags Jazz --create-missing --json`,
    )
    expect([created.status, created.err]).toEqual([0, ''])
    const [event] = JSON.parse(`[${created.out}]`).flat()
    expect(event.tags.map(({ name }: { name: string }) => name)).toEqual(['Jazz'])
    expect((await ask('GET /tags?hide_empty=false')).tags).toHaveLength(1)
  },
)

test('an author applies a sheet whose events share a new tag', async () => {
  const { calctl, ask } = await site('author')
  const sheet =
    'title,start_date,end_date,tags\nA,2026-12-05 19:00,2026-12-05 21:00,Jazz\nB,2026-12-06 19:00,2026-12-06 21:00,Jazz\n'
  const { status, err } = await calctl('apply - --format csv --create-missing --yes', sheet)
  expect([status, err]).toEqual([0, '+ create 3  ~ update 0  - trash 0  = same 0  ! invalid 0\n'])
  const { events } = await ask('GET /events?status=publish&start_date=2026-01-01')
  expect(events.map(({ tags }: { tags: { name: string }[] }) => tags.map(({ name }) => name))).toEqual([
    ['Jazz'],
    ['Jazz'],
  ])
})

test('a tag that no event needs is refused, and named', async () => {
  const { calctl } = await site('author')
  const { status, err } = await calctl(
    'apply - --format ndjson --yes',
    '{"resource":"tags","name":"Jazz"}\n{"resource":"tags","name":"Swing"}\n',
  )
  expect(status).toBe(6)
  expect(err).toMatch(
    /error: tag "Jazz" \(line 1\) and tag "Swing" \(line 2\): refused by \S+: Sorry, you are not allowed to do that\n/,
  )
})
