import { expect, test } from 'vitest'
import type { Response } from '../../src/contract/exchange.ts'
import { dates, productionSite } from '../support/production-site.ts'

/** A site that shows and stores what is created in its own way. */
const siteThat = (alter: (body: string) => string) =>
  productionSite({
    async intercept(request, pass): Promise<Response | undefined> {
      const answer = await pass(request)
      return { ...answer, body: alter(Buffer.from(answer.body).toString()) }
    },
  })

test('a draft whose title a site shows in one of its languages is created, with its record', async () => {
  const { calctl, json } = await siteThat(body => body.replaceAll('[:en]Jazz[:ca]Concert[:]', 'Concert'))
  const line = ['events', 'create', '--title', '[:en]Jazz[:ca]Concert[:]', '--status', 'draft', '--json']
  const { status, out, err } = await calctl([
    ...line,
    ...'--start-date 2026-12-05T19:00 --end-date 2026-12-05T21:00'.split(' '),
  ])
  expect([status, err]).toEqual([7, expect.stringContaining('differs from the request')])
  expect([status, JSON.parse(out)]).toEqual([7, expect.objectContaining({ id: 1, title: 'Concert', status: 'draft' })])
  expect(await json('events list --all-dates -o json --fields id')).toEqual([{ id: 1 }])
})

test('an event whose start a plugin changes is created, with its record', async () => {
  const { calctl, json } = await siteThat(body => body.replaceAll('2026-12-05 19:00:00', '2026-12-05 19:30:00'))
  const { status, out, err } = await calctl(`events create --title Jazz ${dates} --json`)
  expect([status, err]).toEqual([7, expect.stringContaining('differs from the request')])
  expect([status, JSON.parse(out)]).toEqual([7, expect.objectContaining({ id: 1, start_date: '2026-12-05 19:30:00' })])
  expect(await json('events list --all-dates -o json --fields id')).toEqual([{ id: 1 }])
})
