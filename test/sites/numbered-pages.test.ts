import { expect, test } from 'vitest'
import { wordpressSite } from '../support/wordpress-site.ts'

test('galleries that a list numbers differently are neither drift nor a change meanwhile, and undo takes all of it back', async () => {
  const site = await wordpressSite({ options: '--no-wp' })
  const ids: number[] = []
  for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) {
    const { id } = await site.ask('POST /events', {
      title,
      start_date: '2027-03-04 18:30:00',
      end_date: '2027-03-04 20:00:00',
      image: 'https://pictures.example/fair.jpg',
      description: 'Pictures: [gallery]',
    })
    ids.push(id)
  }
  expect((await site.ask(`GET /events/${ids[0]}`)).description).toContain('gallery-')
  const changed = await site.calctl(
    ['events', 'update', '-', '--website', 'https://example.org', '--yes'],
    ids.join('\n'),
  )
  expect([changed.status, changed.err]).toEqual([0, expect.not.stringContaining('differs')])
  const undone = await site.calctl('undo --yes')
  expect([undone.status, undone.out + undone.err]).toEqual([0, expect.not.stringContaining('kept')])
  for (const id of ids) expect((await site.ask(`GET /events/${id}`)).website).not.toBe('https://example.org')
})
