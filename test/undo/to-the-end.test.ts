import { expect, test } from 'vitest'
import { dates, productionSite } from '../support/production-site.ts'

/** A site with an event that has a cost and never had a website, so that the address of its page is shown as one. */
async function siteWithConcert() {
  const site = await productionSite()
  await site.json(`events create --title "Rock & roll" --cost 5 ${dates} --json`)
  const [{ id }] = await site.json('events list --all-dates --json')
  const state = async () => {
    const listed = await site.json(
      `events list --all-dates --status publish,draft,trash --fields slug,status,cost --json`,
    )
    return listed.map(({ slug, status, cost }: Record<string, string>) => [slug, status, cost].join())
  }
  return { ...site, id, state }
}

test('an event without a website comes back from the trash as it was, again and again', async () => {
  const { calctl, id, state } = await siteWithConcert()
  expect(await calctl(`events delete ${id} --yes -q`)).toMatchObject({ status: 0 })
  for (const [command, expected] of [
    ['undo', 'rock-roll,publish,$5'],
    ['redo', 'rock-roll__trashed,trash,$5'],
    ['undo', 'rock-roll,publish,$5'],
  ]) {
    const { status, err } = await calctl(`${command} --yes`)
    expect([command, status, err]).toEqual([command, 0, expect.not.stringContaining('kept')])
    expect(await state()).toEqual([expected])
  }
})

test('a new slug changes the page that is shown as the website, and nothing else', async () => {
  const { calctl, id } = await siteWithConcert()
  expect(await calctl(`events update ${id} --slug punk -q`)).toMatchObject({ status: 0 })
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
})

test('a write that changed nothing does not stand in the way of the run before it', async () => {
  const { calctl, id, state } = await siteWithConcert()
  await calctl(`events update ${id} --cost 7 -q`)
  await calctl(`events update ${id} --status publish -q`)
  expect(await calctl('undo --yes')).toMatchObject({ status: 0, err: expect.stringContaining('1 done') })
  expect(await state()).toEqual(['rock-roll,publish,$5'])
  expect(await calctl('redo --yes')).toMatchObject({ status: 0 })
  expect(await state()).toEqual(['rock-roll,publish,$7'])
  expect(await calctl('redo --yes')).toMatchObject({ status: 4, err: expect.stringContaining('nothing to redo') })
  const history = await calctl('history --fields command,state -o csv')
  expect(history.out).toContain('events update,done')
})

test('a run that cannot be undone does not hide how to undo the one before it', async () => {
  const { calctl, id, state } = await siteWithConcert()
  await calctl(`events update ${id} --cost 7 -q`)
  await calctl(`events update ${id} --post-password one -q`)
  await calctl(`events update ${id} --post-password two -q`)
  const { status, err } = await calctl('undo --yes')
  const [, run = ''] =
    /\nerror: nothing was undone\nhint: undo the run before it with: calctl undo (\w{3})\n$/.exec(err) ?? []
  expect([status, err]).toEqual([4, expect.stringContaining('the journal does not have the earlier one')])
  const [, line] = (await calctl('history -o csv --fields run,what')).out.split('\n').slice(1)
  expect(line).toMatch(new RegExp(`^${run},.*password`))
  expect(await state()).toEqual(['rock-roll,publish,$7'])
})

test('runs list, runs show and history call the state of a run the same', async () => {
  const { calctl, id } = await siteWithConcert()
  await calctl(`events update ${id} --cost 7 -q`)
  await calctl(`events update ${id} --status draft -q`)
  await calctl('undo --yes')
  await calctl('undo --yes')
  const lists = ['runs list', 'history'].map(async line => (await calctl(`${line} --fields run,state -o csv`)).out)
  const [runs = '', history] = await Promise.all(lists)
  expect(history).toBe(runs)
  const states = runs
    .split('\n')
    .slice(1, -1)
    .map(line => line.split(','))
  expect(states.map(([, state]) => state)).toEqual(['done', 'done', 'undone', 'undone', 'done'])
  for (const [run, state] of states) expect((await calctl(`runs show ${run}`)).err).toMatch(new RegExp(`; ${state}\n$`))
  expect((await calctl(`runs show ${states[2]?.[0]}`)).out).toMatch(
    /^done\t~ "Rock & roll", Sat 5 Dec 19:00 \(1\): status /,
  )
  expect((await calctl('runs list --fields started')).out).toMatch(/^2026-11-21 03:00\n/)
})

test('without runs, lists say so to people and are empty for programs', async () => {
  const { calctl } = await productionSite()
  expect(await calctl('runs list')).toEqual({ status: 0, out: '', err: 'no runs yet\n' })
  expect(await calctl('history')).toEqual({ status: 0, out: '', err: 'nothing was written to this calendar yet\n' })
  for (const line of ['runs list', 'history'])
    expect(await calctl(`${line} --json`)).toEqual({ status: 0, out: '[]\n', err: '' })
})

test('several undos of which one fails say which runs are still to be undone, in a line to paste', async () => {
  const site = await productionSite({
    intercept: async request =>
      request.method === 'POST' && request.path.endsWith('/2')
        ? { status: 403, headers: { 'content-type': 'application/json' }, body: '{"code":"no","message":"No"}' }
        : undefined,
  })
  const { calctl } = site
  for (const title of ['One', 'Two', 'Three']) await calctl(`events create --title ${title} ${dates} -q`)
  await calctl('events update 1 --cost 5 -q')
  await calctl('events delete 2 --yes -q')
  await calctl('events update 3 --cost 5 -q')
  const { status, err } = await calctl('undo --last 3 --yes')
  const [, rest = ''] = /; then undo the others with: calctl undo (\w{3})\n$/.exec(err) ?? []
  expect([status, rest]).toEqual([6, expect.stringMatching(/\w{3}/)])
  expect((await calctl(`runs show ${rest}`)).out).toContain('"One", Sat 5 Dec 19:00 (1)')
})

test('one run that is left is named as one', async () => {
  const { calctl } = await siteWithConcert()
  expect((await calctl('undo --last 3 --yes')).err).toContain('there is only 1 run to undo in this calendar')
})

for (const status of ['private', 'publish'])
  test.each(['open', 'missing', 'forbidden'] as const)(
    `a draft that was made ${status} is undone as a draft without a slug (wp/v2 is %s)`,
    async access => {
      const { calctl, json } = await productionSite({
        wordpress: access !== 'missing',
        intercept: async ({ path }) =>
          access === 'forbidden' && path.startsWith('/wp/v2/')
            ? { status: 403, headers: { 'content-type': 'application/json' }, body: '{"code":"rest_forbidden"}' }
            : undefined,
      })
      const slugs = async () =>
        (await json('events list --all-dates --status draft,private,publish --fields slug,status --json')).map(
          ({ slug, status }: Record<string, string>) => `${slug} ${status}`,
        )
      await calctl(`events create --title Jazz --status draft ${dates} -q`)
      expect(await slugs()).toEqual([' draft'])
      await calctl(`events update 1 --status ${status} -q`)
      expect(await slugs()).toEqual([`jazz ${status}`])
      const { status: exit, err } = await calctl('undo --yes')
      // The events API takes no empty slug.
      const note = 'kept slug of event 1: the site cannot make it empty again'
      expect([exit, err.includes(note)]).toEqual([0, access !== 'open'])
      expect(await slugs()).toEqual([access === 'open' ? ' draft' : 'jazz draft'])
      expect(await calctl('redo --yes')).toMatchObject({ status: 0 })
      expect(await slugs()).toEqual([`jazz ${status}`])
    },
  )

test('the undo of a deleted tag says which records in the trash do not get it back', async () => {
  const { calctl, json } = await productionSite()
  await calctl('tags create --name Swing -q')
  for (const title of ['One', 'Two']) await calctl(`events create --title ${title} ${dates} --tags Swing -q`)
  await calctl('tags delete 1 --yes -q')
  await calctl('events delete 2 --yes -q')
  const [tagRun] = await json('history tags/1 --fields run --json')
  const { status, err } = await calctl(`undo ${tagRun.run} --yes`)
  expect([status, err]).toEqual([
    7,
    expect.stringMatching(
      /error: event \d is in the trash: it does not get its tags back\nhint: restore it with: calctl events restore/,
    ),
  ])
  expect(await json('events list --all-dates --fields tags.name --json')).toEqual([{ tags: [{ name: 'Swing' }] }])
})

test('a slug that a draft got is kept by an undo, and this is said, where the site cannot make it empty again', async () => {
  const { calctl, json } = await productionSite({ wordpress: false })
  await json(`events create --title Fira --status draft ${dates} --json`)
  expect((await calctl('events update 1 --slug fira')).err).toContain('slug (none) → "fira"')
  expect(await calctl('undo --yes')).toMatchObject({
    status: 4,
    err: expect.stringContaining('kept slug of event 1: the site cannot make it empty again'),
  })
})
