import { expect, test } from 'vitest'
import { dates, productionSite } from '../support/production-site.ts'

test.each(['1', 'concert'])('an update of %s with --patch whose answer was lost is sent again by resume', async ref => {
  let isSilent = false
  const site = await productionSite({
    intercept: async () =>
      isSilent ? { status: 504, headers: { 'content-type': 'text/html' }, body: '<p>Timeout</p>' } : undefined,
  })
  const { calctl, json } = site
  await json(`events create --title Concert ${dates} --json`)
  isSilent = true
  const lost = await calctl(`events update ${ref} --title Recital --patch --retries 0`)
  expect([lost.status, lost.err]).toEqual([5, expect.stringContaining('calctl runs resume')])
  isSilent = false
  const resumed = await calctl('runs resume --yes')
  expect([resumed.status, resumed.err]).toEqual([0, expect.stringContaining('1 done')])
  expect((await json(`events get ${ref} --json`)).title).toBe('Recital')
  expect((await calctl('runs resume')).err).toContain('nothing left to do')
})
