import { expect, test } from 'vitest'
import { executePlan } from '../../src/changes/run/execute.ts'
import { createdMeanwhile, findExisting } from '../../src/changes/run/existing-records.ts'
import { missingIn } from '../../src/client/adapters/write-result.ts'
import { resourceNamed } from '../../src/contract/contract.ts'
import type { Answer } from '../../src/contract/resource.ts'
import { concert, creation, now, planOf, runCalendar } from '../support/run-helpers.ts'

const events = resourceNamed('events')

/** Whether a new event that shows this text is taken for one that does not have the text that was sent. */
const lacks = (sent: string, shown: string): boolean =>
  'description' in missingIn(events, { description: sent }, { id: 1, description: shown } as Answer)

test.each([
  ['Jazz', '<p>Jazz</p>\n', false],
  ['Jazz\n\nBlues', '<p>Jazz</p>\n<p>Blues</p>\n', false],
  ['Jazz<br>Blues', '<p>Jazz Blues</p>', false],
  ['<P>Jazz</P>', 'Jazz', false],
  ['<STRONG>Jazz</STRONG>', '<p><strong>Jazz</strong></p>', false],
  ['<strong>Jazz</strong>', '<p><STRONG>Jazz</STRONG></p>', false],
  ['<em>Jazz</em>', '<p>Jazz</p>', true],
  ['Jazz', '<p>Blues</p>', true],
  ['C:\\new', '<p>C:new</p>', true],
  ['[gallery]', '<div class="gallery"></div>', false],
])('a new event with the text %j that shows %j lacks it: %s', (sent, shown, isMissing) => {
  expect(lacks(sent, shown)).toBe(isMissing)
})

test.each([undefined, null, '', []])('a new record lacks nothing where %j was asked for', asked => {
  const shown = { id: 1, website: 'https://example.org/', image: { id: 3 }, tags: [{ id: 4 }] } as unknown as Answer
  expect(missingIn(events, { website: asked, image: asked, tags: asked }, shown)).toEqual({})
})

test('a record that another machine creates with a cost of 0 has no other cost, though it is stored a moment later', () => {
  const step = creation('events', 'events new', { ...concert, cost: '0' })
  const { title, start_date, end_date } = concert
  const shown = { id: 7, title, start_date, end_date, cost: '' } as Answer
  expect(createdMeanwhile(step, { ...concert, cost: '0' }, [shown])).toEqual({ state: 'done', id: 7, isOthers: true })
  expect(createdMeanwhile(step, { ...concert, cost: '5' }, [shown])).toMatchObject({ failure: { kind: 'conflict' } })
})

test('a create that is meant beside records of the same name does not match those', async () => {
  const { client, make } = runCalendar()
  const first = await make('venues', { venue: 'Sala Gran' })
  const create = creation('venues', 'venues sala', { venue: 'Sala Gran' })
  const found = async (step: object) => [...(await findExisting(client, [{ ...create, ...step }], () => undefined))]
  expect(await found({})).toEqual([['venues sala', [expect.objectContaining({ id: first.id })]]])
  expect(await found({ existing: [first] })).toEqual([])
})

test('an event of the same name on another day is not taken for the one that was created', async () => {
  const { client, make, get } = runCalendar()
  await make('events', { ...concert, start_date: '2026-12-06 19:00:00', end_date: '2026-12-06 21:00:00' })
  const { results } = await executePlan(planOf(creation('events', 'events new', concert)), { client, now })
  expect([...results].map(([, { state, id }]) => [state, id])).toEqual([['done', 2]])
  expect(await get('events', 2)).toMatchObject({ start_date: concert.start_date })
})
