import { expect, test } from 'vitest'
import type { Request } from '../../src/contract/exchange.ts'
import { fates } from '../support/lost-answers.ts'
import { dates, productionSite } from '../support/production-site.ts'
import { testTime } from '../support/world.ts'

/** A site with a published event in a category; the first delete gets a fate, and somebody else writes before it is sent again. */
async function siteWithEditor(fate: keyof typeof fates, edit?: { readonly path: string; readonly values: object }) {
  let isArmed = false
  let minutes = 0
  const site = await productionSite({
    // Every request comes a minute later, so that each save has a time of its own.
    now: () => new Date(testTime.getTime() + minutes++ * 60_000),
    async intercept(request, pass) {
      if (!isArmed || request.method !== 'DELETE') return undefined
      isArmed = false
      const answer = await fates[fate](() => pass(request))
      if (edit) {
        const { query: _, ...others } = request
        const body = JSON.stringify(edit.values)
        const headers = { ...request.headers, 'content-type': 'application/json' }
        const change: Request = { ...others, method: 'POST', path: edit.path, headers, body }
        expect((await pass(change)).status).toBeLessThan(300)
      }
      return answer
    },
  })
  await site.json('categories create --name Music --json')
  await site.json(`events create --title Jazz ${dates} --categories music --status publish --json`)
  await site.json(`events create --title Blues ${dates} --status publish --json`)
  isArmed = true
  return site
}

const event = (values: object) => ({ path: '/wp/v2/tribe_events/1', values })

for (const line of ['events delete 1 --yes', 'events delete 1 2 --yes'])
  test.each(['lost', 'refused'] as const)(
    `a delete that is sent again leaves a record that somebody changed meanwhile (%s, ${line})`,
    async fate => {
      const { calctl, json, writes } = await siteWithEditor(fate, event({ excerpt: 'Sold out' }))
      const before = writes().length
      const { status, err } = await calctl(line)
      expect([status, err]).toEqual([7, expect.stringContaining('event 1 changed in the meantime: excerpt')])
      expect(await json('events get 1 --json')).toMatchObject({ status: 'publish' })
      expect(writes().slice(before)).toHaveLength(line.includes('1 2') ? 2 : 1)
    },
  )

test('a delete that is sent again leaves a record that somebody restored meanwhile', async () => {
  const { calctl, json } = await siteWithEditor('done', event({ status: 'publish' }))
  const { status, err } = await calctl('events delete 1 --yes')
  expect([status, err]).toEqual([7, expect.stringContaining('event 1 was restored or saved again in the meantime')])
  expect(await json('events get 1 --json')).toMatchObject({ status: 'publish' })
})

test.each(['lost', 'refused'] as const)('a delete whose record nobody changed is sent again (%s)', async fate => {
  const { calctl, json } = await siteWithEditor(fate)
  expect(await calctl('events delete 1 --yes')).toMatchObject({ status: 0 })
  expect(await json('events list --all-dates --status trash --fields id --json')).toEqual([{ id: 1 }])
})

test.each(['lost', 'refused'] as const)(
  'a term whose delete is sent again comes back with what was put into it meanwhile (%s)',
  async fate => {
    const { calctl, json } = await siteWithEditor(fate, {
      path: '/wp/v2/tribe_events/2',
      values: { tribe_events_cat: [1] },
    })
    expect(await calctl('categories delete 1 --yes')).toMatchObject({ status: 0 })
    expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
    const events = await json('events list --all-dates --fields title,categories.name --json')
    expect(JSON.stringify(events).match(/Music/g)).toHaveLength(2)
  },
)
