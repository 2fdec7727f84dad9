import { expect, test } from 'vitest'
import { json, type Staged } from '../support/staged-site.ts'
import { multilingualSite } from './multilingual-site.ts'

const when = '--start-date "2027-12-05 19:00" --end-date "2027-12-05 21:00"'

/** A site whose Spanish address answers all requests like this, after a concert was created in Catalan. */
async function siteWithout(spanish: () => Staged | 'nothing') {
  let isDown = false
  const site = await multilingualSite({ tells: true, obeys: true, spanish: () => (isDown ? spanish() : undefined) })
  const created = await site.calctl(`events create --lang ca --title Concert ${when}`)
  expect(created.status, created.err).toBe(0)
  isDown = true
  site.seen.splice(0)
  return site
}

const inSpanish = (seen: readonly string[]) => seen.filter(line => line.includes(' /es/'))

test('a broken address of another language is asked once for a notice, and the command ends as if there were none', async () => {
  const { calctl, seen } = await siteWithout(() => json(503, { code: 'busy', message: 'Busy' }))
  expect(await calctl('events get concert --fields title')).toEqual({ status: 0, out: 'Concert\n', err: '' })
  expect(inSpanish(seen)).toHaveLength(1)
  seen.splice(0)
  const updated = await calctl('events update concert --cost 5')
  expect(updated.status, updated.err).toBe(0)
  expect(updated.err).not.toMatch(/translation|retrying/)
  expect(inSpanish(seen)).toHaveLength(1)
})

test('an address of another language that never answers holds up nothing for long', async () => {
  const { calctl } = await siteWithout(() => 'nothing')
  expect(await calctl('events get concert --fields title')).toEqual({ status: 0, out: 'Concert\n', err: '' })
})
