import { expect, test } from 'vitest'
import { wordpressSite } from '../support/wordpress-site.ts'

const dates = '--start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"'

/** A site with an event, and a saved plan that changes its title and start; somebody patches the event afterwards. */
async function changedAfterPlan(event: object, header: string, row: string, change: object) {
  const site = await wordpressSite()
  await site.calctl(`events create --title Jazz ${dates} -q`)
  await site.ask('POST /wp/v2/tribe_events/1', event)
  const sheet = site.file('sheet.csv', `id,${header}\n1,${row}\n`)
  const plan = `${site.folder}/plan.json`
  expect(await site.calctl(`diff ${sheet} --save ${plan}`)).toMatchObject({ status: 0 })
  await site.ask('POST /wp/v2/tribe_events/1', change)
  const outcome = await site.calctl(`apply ${plan} --yes`)
  return { ...outcome, stored: await site.ask('GET /wp/v2/tribe_events/1?context=edit') }
}

test('a record whose cost somebody stored in another form since the plan was made is left alone, though it is shown alike', async () => {
  const { status, stored } = await changedAfterPlan(
    { meta: { _EventCost: '20' } },
    'title,start_date',
    'Jazz night,2026-12-05 18:00',
    { meta: { _EventCost: '$20' } },
  )
  expect([status, stored.meta._EventCost, stored.title.raw]).toEqual([7, '$20', 'Jazz'])
})

test('a text that somebody stored in another form since the plan was made is not overwritten', async () => {
  const block = '<!-- wp:paragraph --><p>Hello</p><!-- /wp:paragraph -->'
  const { status, err, stored } = await changedAfterPlan(
    { content: '<p>Hello</p>' },
    'description,start_date',
    '<p>Bye</p>,2026-12-05 18:00',
    { content: block, meta: { _EventCost: '' } },
  )
  expect([status, err]).toEqual([7, expect.stringContaining('changed in the meantime: description')])
  expect(stored.content.raw).toBe(block)
})
