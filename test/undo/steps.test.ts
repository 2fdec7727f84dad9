import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Plan } from '../../src/changes/plan/plan.ts'
import { countActions } from '../../src/changes/plan/step-lines.ts'
import { executePlan } from '../../src/changes/run/execute.ts'
import { undoPlan } from '../../src/changes/undo/undo-plan.ts'
import { resourceNamed } from '../../src/contract/contract.ts'
import { fates } from '../support/lost-answers.ts'
import { dates, productionSite } from '../support/production-site.ts'
import { concert, creation, executed, now, planOf, runCalendar, stepOn } from '../support/run-helpers.ts'
import { siteBehindProxy } from '../support/site-behind-proxy.ts'

const made = '2026-11-21T03:00:00Z'

/** Executes a plan and undoes it; returns the plan of the undo. */
async function undone(calendar: ReturnType<typeof runCalendar>, plan: Plan, between = async () => {}): Promise<Plan> {
  const { client } = calendar
  const { past } = await executed(plan, { client })
  await between()
  const back = await undoPlan(client, past, made)
  const { results } = await executePlan(back, { client, now })
  expect([...results.values()].filter(({ state, failure }) => state !== 'done' || failure)).toEqual([])
  return back
}

test('undo trashes created records and deletes created terms', async () => {
  const calendar = runCalendar()
  const plan = planOf(
    creation('venues', 'venue', { venue: 'Sala' }),
    creation('tags', 'tag', { name: 'Jazz' }),
    creation('events', 'event', { ...concert, venue: { $ref: 'venue' }, tags: [{ $ref: 'tag' }] }),
  )
  const back = await undone(calendar, plan)
  expect(Array.from(back.steps, ({ key, action, id }) => [key, action, id])).toEqual([
    ['undo event', 'trash', 2],
    ['undo tag', 'delete', 1],
    ['undo venue', 'trash', 1],
  ])
  for (const name of ['events', 'venues', 'tags'] as const)
    expect((await calendar.client.list(resourceNamed(name), {})).total).toBe(0)
})

test.each([false, true])('undo writes the earlier fields of updated records (quirks: %s)', async quirks => {
  const calendar = runCalendar({ quirks })
  const venue = await calendar.make('venues', { venue: 'Sala' })
  const { id } = await calendar.make('events', {
    ...concert,
    title: 'Rock & roll',
    status: 'draft',
    cost: '15',
    venue: venue.id,
    categories: ['Music'],
    featured: true,
  })
  const event = await calendar.get('events', id)
  const change = { title: 'Recital', status: 'publish', cost: '', all_day: true, categories: [], featured: false }
  const back = await undone(calendar, planOf(stepOn('update', 'events', event, change)))
  expect(countActions(back)).toMatchObject({ update: 1 })
  // Production gives a draft a time in UTC once it is saved again, and undo keeps the slug that publishing set. An empty
  // website is the URL of the event, or empty.
  const kept = quirks ? { slug: 'recital', website: '', modified_utc: '2026-11-21 02:00:00' } : {}
  expect(await calendar.get('events', id)).toEqual({ ...event, ...kept })
})

test('undo keeps each field that somebody changed after the run, with a note', async () => {
  const calendar = runCalendar()
  const event = await calendar.make('events', { ...concert, website: 'https://example.org/' })
  const back = await undone(
    calendar,
    planOf(stepOn('update', 'events', event, { title: 'Recital', website: '' })),
    async () => {
      await calendar.client.overwrite(resourceNamed('events'), { id: event.id }, { title: 'Opera' })
    },
  )
  expect(back.notes).toEqual(['kept title of event 1: changed after the run'])
  expect(Array.from(back.steps, ({ values }) => values)).toEqual([{ website: 'https://example.org/' }])
  expect(await calendar.get('events', 1)).toMatchObject({ title: 'Opera', website: 'https://example.org/' })
})

test('undo restores trashed records with their earlier status, and trashes restored ones', async () => {
  const calendar = runCalendar()
  const event = await calendar.make('events', { ...concert, status: 'private', slug: 'gala' })
  const venue = await calendar.make('venues', { venue: 'Sala' })
  const { record: trashed } = await calendar.client.delete(resourceNamed('venues'), { id: venue.id })
  await undone(calendar, planOf(stepOn('trash', 'events', event), stepOn('restore', 'venues', trashed)))
  expect(await calendar.get('events', event.id)).toMatchObject({ status: 'private', slug: 'gala' })
  expect((await calendar.client.list(resourceNamed('venues'), {})).total).toBe(0)
})

test('undo creates deleted terms again and links the records that had them', async () => {
  const calendar = runCalendar()
  const music = await calendar.make('categories', { name: 'Music' })
  const jazz = await calendar.make('categories', {
    name: 'Jazz',
    parent: music.id,
    description: 'Swing',
    slug: 'swing',
  })
  const opera = await calendar.make('categories', { name: 'Opera', parent: music.id })
  const changed = await calendar.make('events', { ...concert, categories: [jazz.id] })
  const other = await calendar.make('events', { ...concert, categories: [music.id, jazz.id, opera.id] })
  const plan = planOf(
    stepOn('update', 'events', changed, { categories: [] }),
    stepOn('delete', 'categories', await calendar.get('categories', jazz.id)),
    stepOn('delete', 'categories', await calendar.get('categories', music.id)),
  )
  const back = await undone(calendar, plan)
  expect(back.notes).toEqual(['category 1 gets a new ID', 'category 2 gets a new ID'])
  const jazzAgain = { id: 5, name: 'Jazz', slug: 'swing', description: 'Swing', parent: 4 }
  const categoriesOf = async (id: number) => (await calendar.get('events', id)).categories
  expect(await categoriesOf(changed.id)).toMatchObject([jazzAgain])
  expect(await categoriesOf(other.id)).toMatchObject([jazzAgain, { id: 4, name: 'Music' }, { id: 3, name: 'Opera' }])
  expect(await calendar.get('categories', opera.id)).toMatchObject({ parent: 4 })
})

test('undo counts records that are as before, and says which were deleted permanently', async () => {
  const calendar = runCalendar()
  const [tag, event] = [await calendar.make('tags', { name: 'Jazz' }), await calendar.make('events', concert)]
  const plan = planOf(
    stepOn('update', 'tags', tag, { name: 'Swing' }),
    stepOn('update', 'events', event, { title: 'Recital' }),
  )
  const back = await undone(calendar, plan, async () => {
    await calendar.client.delete(resourceNamed('tags'), { id: tag.id })
    await calendar.client.overwrite(resourceNamed('events'), { id: event.id }, { title: 'Concert' })
  })
  expect(back).toMatchObject({
    steps: { length: 0 },
    same: 1,
    notes: ['cannot undo the update of tag 1: it was deleted permanently'],
  })
})

test('undo keeps a new record that somebody changed; links to records of the run itself do not count as changes', async () => {
  const calendar = runCalendar()
  const plan = planOf(
    creation('tags', 'tag', { name: 'Jazz' }),
    creation('events', 'first', { ...concert, tags: [{ $ref: 'tag' }] }),
    creation('events', 'second', { ...concert, title: 'Recital', tags: [{ $ref: 'tag' }] }),
  )
  const back = await undone(calendar, plan, async () => {
    await calendar.client.overwrite(resourceNamed('events'), { id: 1 }, { title: 'Opera' })
    await calendar.client.delete(resourceNamed('tags'), { id: 1 })
  })
  expect(back.notes).toEqual(['kept event "Concert": title changed after the run'])
  expect(Array.from(back.steps, ({ key, action }) => [key, action])).toEqual([['undo second', 'trash']])
})

test('undo keeps a record that was restored and then changed', async () => {
  const calendar = runCalendar()
  const { id } = await calendar.make('events', concert)
  const { record: trashed } = await calendar.client.delete(resourceNamed('events'), { id })
  const back = await undone(calendar, planOf(stepOn('restore', 'events', trashed, { status: 'draft' })), async () => {
    await calendar.client.overwrite(resourceNamed('events'), { id }, { status: 'publish' })
  })
  expect(back).toMatchObject({
    steps: { length: 0 },
    notes: [expect.stringMatching(/^kept event 1: status.* changed after the run$/)],
  })
})

test('undo keeps records of another calendar that have the IDs of a run', async () => {
  const { past } = await executed(planOf(creation('events', 'event', concert)), { client: runCalendar().client })
  const other = runCalendar()
  await other.make('events', { ...concert, title: 'Opera' })
  expect(await undoPlan(other.client, past, made)).toMatchObject({
    steps: { length: 0 },
    notes: ['kept event "Concert": title and slug changed after the run'],
  })
})

test('an undo that was not answered is not done because a list of the trash leaves its event out', async () => {
  let state: 'up' | 'down' | 'short' = 'up'
  const { calctl, second, env } = await siteBehindProxy({
    before({ method }) {
      if (method === 'POST' && state === 'down') throw new Error('the request does not arrive')
    },
    garble(answer) {
      if (state === 'short' && answer.path.includes('status=trash'))
        answer.body = answer.path.includes('/wp/v2/') ? '[]' : '{"events":[],"total":0,"total_pages":0}'
      return undefined
    },
  })
  await second('events create --title Jazz --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"')
  expect(await calctl('events delete 1 --yes')).toMatchObject({ status: 0 })
  state = 'down'
  expect(await calctl('undo --yes --retries 0')).not.toMatchObject({ status: 0 })
  // As if it had been killed before the site got the request.
  const folder = `${env.XDG_STATE_HOME}/calctl/runs`
  const journal = `${folder}/${readdirSync(folder)
    .filter(name => name.endsWith('.ndjson'))
    .toSorted()
    .at(-1)}`
  writeFileSync(journal, readFileSync(journal, 'utf8').replace(/(^\{"sent"[^\n]*\n).*/ms, '$1'))
  state = 'short'
  expect(await calctl('runs resume --yes')).toMatchObject({ status: 7 })
  state = 'up'
  expect(await calctl('runs resume --yes')).toMatchObject({ status: 0 })
  expect((await second('events list --all -o ids')).out).toBe('1\n')
})

async function siteWithTag(wordpress: boolean) {
  const site = await productionSite({ wordpress })
  const { id } = await site.json('tags create --name Jazz --json')
  await site.json(`events create --title Concert ${dates} --tags Jazz --hide-from-listings --json`)
  return { ...site, id }
}

const sentence = /does not show hidden events here: an undo will not give them back tag "Jazz"/

test.each([
  ['tags delete', (id: number) => `tags delete ${id} --yes`],
  ['a dry run of it', (id: number) => `tags delete ${id} --dry-run`],
])('%s says what hidden events lose for good where nobody can list them', async (_, command) => {
  const { calctl, id } = await siteWithTag(false)
  expect(await calctl(command(id))).toMatchObject({ status: 0, err: expect.stringMatching(sentence) })
})

test('the question before it has the same sentence', async () => {
  const { calctl, id, writes } = await siteWithTag(false)
  const before = writes().length
  const { status, err } = await calctl(`tags delete ${id}`)
  expect([status, err]).toEqual([8, expect.stringMatching(sentence)])
  expect(writes()).toHaveLength(before)
})

test('a plan that deletes it has the sentence among its notes', async () => {
  const { calctl, id } = await siteWithTag(false)
  const { out, err } = await calctl(`tags delete - --dry-run`, `${id}\n`)
  expect(out + err).toMatch(sentence)
  expect((await calctl('tags delete - --yes --max-trash 9', `${id}\n`)).err).toMatch(sentence)
})

test('nothing is said where the site shows hidden events, which get it back', async () => {
  const { calctl, id } = await siteWithTag(true)
  const { status, err } = await calctl(`tags delete ${id} --yes`)
  expect([status, err]).toEqual([0, expect.not.stringMatching(sentence)])
})

test('a plan that merges one tag and deletes another says both, each of its own', async () => {
  const { calctl, json, file, id } = await siteWithTag(false)
  const [{ id: kept }, { id: duplicate }] = [
    await json('tags create --name Music --json'),
    await json('tags create --name Blues --json'),
  ]
  const merge = await json(`tags merge ${kept} ${duplicate} --dry-run --json`)
  const removal = JSON.parse((await calctl('tags delete - --dry-run --json', `${id}\n`)).out)
  const both = file(
    'plan.json',
    JSON.stringify({ ...merge, checksum: undefined, notes: [], steps: [...merge.steps, ...removal.steps] }),
  )
  const { out, err } = await calctl(`apply ${both} --dry-run`)
  expect(out + err).toContain('those of tag "Blues" cannot be moved, and an undo will not give them back tag "Jazz"')
})

test.each([
  ['events', `--title Concert ${dates} --status draft`],
  ['venues', '--venue Sala --status draft'],
])('%s: a draft that was published has no date of publication again', async (resource, words) => {
  const { calctl, json } = await productionSite()
  const { id, ...draft } = await json(`${resource} create ${words} --json`)
  await json(`${resource} update ${id} --status publish --json`)
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  const { status, date_utc } = await json(`${resource} get ${id} --json`)
  expect([status, date_utc]).toEqual(['draft', draft.date_utc])
  expect(date_utc).toBe('0000-00-00 00:00:00')
  expect(await calctl('redo --yes')).toMatchObject({ status: 0 })
  expect(await json(`${resource} get ${id} --json`)).toMatchObject({ status: 'publish' })
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await json(`${resource} get ${id} --json`)).toMatchObject({ status: 'draft', date_utc })
})

/** A site whose answer to the next write, once `loseAnswer` was called, does not arrive. */
async function siteThatLosesAnswer(fate: keyof typeof fates) {
  let isArmed = false
  const site = await productionSite({
    async intercept(request, pass) {
      if (!isArmed || request.method !== 'POST') return undefined
      isArmed = false
      return fates[fate](() => pass(request))
    },
  })
  return { ...site, loseAnswer: () => (isArmed = true) }
}

test.each([
  ['done', 'event 1 was changed anyway'],
  ['lost', 'event 1 was not changed, retrying'],
] as const)('the undo of publishing a draft is looked up if its answer is lost (%s)', async (fate, notice) => {
  const { calctl, json, loseAnswer } = await siteThatLosesAnswer(fate)
  await json(`events create --title Concert ${dates} --status draft --json`)
  await json('events update 1 --status publish --json')
  loseAnswer()
  expect(await calctl('undo --yes')).toMatchObject({ status: 0, err: expect.stringContaining(notice) })
  expect(await json('events get 1 --json')).toMatchObject({ status: 'draft', date_utc: '0000-00-00 00:00:00' })
})

test.each([
  ['done', 'event 1 was changed anyway'],
  ['lost', 'event 1 was not changed, retrying'],
] as const)('a publication date is cleared, even if the answer is lost (%s)', async (fate, notice) => {
  const { calctl, json, loseAnswer } = await siteThatLosesAnswer(fate)
  await json(`events create --title Concert ${dates} --status publish --json`)
  await json('events update 1 --status draft --json')
  loseAnswer()
  const { status, err } = await calctl('events update 1 --clear date')
  expect([status, err]).toEqual([0, expect.stringContaining(notice)])
  expect(await json('events get 1 --json')).toMatchObject({ date_utc: '0000-00-00 00:00:00' })
})

test('a hidden event without an excerpt is published again when its deletion is undone', async () => {
  const { calctl, json } = await productionSite()
  const words = "--description Text --excerpt '' --hide-from-listings --status publish"
  const { id } = await json(`events create --title Concert ${dates} ${words} --json`)
  expect(await calctl(`events delete ${id} --yes`)).toMatchObject({ status: 0 })
  expect(await calctl('undo --yes')).toMatchObject({ status: 0, err: expect.not.stringContaining('kept') })
  expect(await json(`events get ${id} --json`)).toMatchObject({ status: 'publish' })
})
