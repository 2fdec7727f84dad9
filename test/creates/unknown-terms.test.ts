import { expect, test } from 'vitest'
import { dates, productionSite } from '../support/production-site.ts'
import { wordpressSite } from '../support/wordpress-site.ts'

async function siteWithTags() {
  const site = await productionSite()
  const jazz = await site.json('tags create --name Jazz --json')
  const event = await site.json(`events create --title Ball ${dates} --tags ${jazz.id} --json`)
  return { ...site, jazz: jazz.id as number, id: event.id as number }
}

const tagsOf = (event: { tags: { id: number }[] }) => event.tags.map(({ id }) => id)

test.each(['--tags 99999', '--add-tags 99999', '--tags 1,99999', '--categories 99999'])(
  'an update with %s is refused before it would empty the terms',
  async option => {
    const { calctl, json, writes, id, jazz } = await siteWithTags()
    const before = writes().length
    const { status, err } = await calctl(`events update ${id} ${option.replace('1,', `${jazz},`)}`)
    expect([status, err]).toEqual([4, expect.stringContaining(` 99999 at http://127.0.0.1:`)])
    expect(writes()).toHaveLength(before)
    expect(tagsOf(await json(`events get ${id} --json`))).toEqual([jazz])
  },
)

test('a new event with an unknown tag ID is not created', async () => {
  const { calctl, writes } = await siteWithTags()
  const before = writes().length
  expect((await calctl(`events create --title Fira ${dates} --tags 99999`)).status).toBe(4)
  expect(
    (
      await calctl([
        'events',
        'create',
        '--data',
        '{"title":"Fira","start_date":"2026-12-05","end_date":"2026-12-05","categories":["99999"]}',
      ])
    ).status,
  ).toBe(4)
  expect(writes()).toHaveLength(before)
})

test('IDs that the event has already are not looked up, and others cost one request for all events', async () => {
  const { json, calctl, seen, id, jazz } = await siteWithTags()
  const { id: free } = await json('tags create --name Free --json')
  const { id: second } = await json(`events create --title Fira ${dates} --json`)
  const lookups = async (line: string) => {
    const before = seen.length
    expect((await calctl(line)).status).toBe(0)
    return seen.slice(before).filter(request => request.includes('/tags')).length
  }
  expect(await lookups(`events update ${id} --tags ${jazz}`)).toBe(0)
  expect(await lookups(`events update ${id} --remove-tags ${jazz}`)).toBe(0)
  expect(await lookups(`events update ${id} ${second} --tags ${jazz},${free}`)).toBe(1)
  expect(await lookups(`events update ${id} --title Concert`)).toBe(0)
})

test('unknown IDs in files and in bulk are found before anything is sent', async () => {
  const { calctl, json, writes, file, id, jazz } = await siteWithTags()
  const before = writes().length
  const sheet = file('events.csv', `id,tags\n${id},99999\n`)
  const applied = await calctl(`apply ${sheet} --resource events --yes`)
  expect([applied.status, applied.err]).toEqual([2, expect.stringContaining('no tag 99999')])
  const updated = await calctl('events update - --add-tags 99999 --yes', `${id}\n`)
  expect([updated.status, updated.err]).toEqual([2, expect.stringContaining('no tag 99999')])
  expect(writes()).toHaveLength(before)
  expect(tagsOf(await json(`events get ${id} --json`))).toEqual([jazz])
})

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
  expect([status, err]).toEqual([0, '3 to create\n'])
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
