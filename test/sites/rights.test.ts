import { expect, test } from 'vitest'
import { wordpressSite } from '../support/wordpress-site.ts'

/** A site with two venues and twenty events of an administrator, a draft of the user, and a command line of that user. */
async function siteOf(role: string) {
  const site = await wordpressSite({ options: `--user anna:secret:${role}`, env: { CALCTL_USER: 'anna' } })
  const venues: number[] = []
  for (const venue of ['Hall', 'Hall 2']) venues.push((await site.ask('POST /venues', { venue })).id)
  for (let day = 1; day <= 20; day += 1)
    await site.ask('POST /events', {
      title: `Event ${day}`,
      venue: venues[1],
      cost: '15 €',
      start_date: `2026-12-${day} 19:00`,
      end_date: `2026-12-${day} 21:00`,
    })
  const dates = '--start-date "2026-12-25 19:00" --end-date "2026-12-25 21:00"'
  const { out } = await site.calctl(`events create --title Mine ${dates} --status draft -o ids`)
  const writes = async (line: string) => {
    const { requests, ...outcome } = await site.counted(line)
    return { ...outcome, writes: requests.filter(one => !one.startsWith('GET')).length }
  }
  return { ...site, writes, mine: out.trim(), venues }
}

/** The steps that are sent at the same time. */
const jobs = 4

test.each(['author', 'contributor'])('a run that an %s may not make stops after the first refusal', async role => {
  const { writes, venues, json, mine } = await siteOf(role)
  const merge = await writes(`venues merge ${venues[0]} ${venues[1]} --yes`)
  expect(merge).toMatchObject({ status: 6, err: expect.stringContaining('anna may change only their own records') })
  expect(merge.err).toMatch(/hint: .*log in as an editor/)
  expect(merge.err).not.toContain('run the merge again')
  expect(merge.writes).toBeLessThanOrEqual(jobs)

  const update = await writes('events update --month 2026-12 --title New --yes')
  expect(update).toMatchObject({ status: 6, err: expect.stringContaining('anna may change only their own records') })
  expect(update.writes).toBeLessThanOrEqual(jobs + 1)
  expect((await json(`events get ${mine}`)).title).toBe('New')
  expect(merge.err + update.err).not.toMatch(/cost/)
})

test('an editor, and an author with own records, are not stopped', async () => {
  const { calctl } = await siteOf('editor')
  expect(await calctl('events update --month 2026-12 --title New --yes')).toMatchObject({ status: 0 })
})

test.each(['author', 'contributor'])(
  'a single refusal says what an %s may do, and suggests nothing else',
  async role => {
    const { calctl, venues } = await siteOf(role)
    for (const line of [
      'events cancel 3',
      'events cancel 3 --reason Rain',
      'events postpone 3',
      'events update 3 --title New',
      'events update 3 --cost "20 €"',
      'events move 3 2027-01-01',
      'events delete 3 --yes',
      `venues update ${venues[0]} --city Vic`,
    ]) {
      const { status, err } = await calctl(line)
      expect([line, status, err]).toEqual([line, 4, expect.stringContaining('log in as an editor')])
      expect(err).not.toMatch(/calctl events cancel|does not show costs/)
    }
  },
)

test('what a contributor publishes waits for somebody else', async () => {
  const { calctl, mine } = await siteOf('contributor')
  for (const line of [`events publish ${mine}`, `events update ${mine} --status publish`]) {
    const { status, err } = await calctl(line)
    expect([status, err]).toEqual([
      7,
      expect.stringContaining(`event ${mine} is pending: somebody else must publish it`),
    ])
    expect(err).toContain(`calctl events update ${mine} --status publish`)
  }
})

test('an undo that would have to link events of others is refused before its first write', async () => {
  const { calctl, ask, json, writes } = await siteOf('author')
  expect((await calctl('venues create --venue Barn')).status).toBe(0)
  const [barn] = (await json('venues list --search Barn')) as { id: number }[]
  const { id } = await ask('POST /events', {
    title: 'Fair',
    venue: barn?.id,
    start_date: '2026-12-28 19:00',
    end_date: '2026-12-28 21:00',
  })
  expect((await calctl(`venues delete ${barn?.id} --yes`)).status).toBe(0)
  const undo = await writes('undo --yes')
  expect(undo).toMatchObject({ status: 4, writes: 0 })
  expect(undo.err).toContain(`event ${id} would have to be changed as well: anna may change only their own records`)
  expect(undo.err).toMatch(/hint: .*log in as an editor/)
  expect(await json('venues list --search Barn')).toEqual([])
})
