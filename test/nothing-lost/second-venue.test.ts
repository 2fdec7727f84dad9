import { expect, test } from 'vitest'
import { wordpressSite } from './wordpress-site.ts'

const fields = { venue: 'Ateneu', address: 'Major 1', phone: '123', website: 'https://a.example', description: 'Old' }

for (const options of ['', '--no-wp'])
  test(`a venue that a site overwrote instead of creating a second one has all it had before (${options || 'wp/v2'})`, async () => {
    const site = await wordpressSite({ options })
    const { id } = await site.ask('POST /venues', fields)
    const before = await site.ask(`GET /venues/${id}`)
    const line = 'venues create --venue Ateneu --phone 456 --description New --city Girona --if-exists create'
    const { status, err } = await site.calctl(line)
    expect([status, err]).toEqual([7, expect.stringContaining('it has been given back what it had')])
    const { modified: _, modified_utc: __, ...after } = await site.ask(`GET /venues/${id}`)
    expect(before).toMatchObject(after)
  })

test('the slug of a venue that a site overwrote is the earlier one again', async () => {
  const site = await wordpressSite()
  const { id } = await site.ask('POST /venues', { venue: 'Sala' })
  const { status } = await site.calctl('venues create --venue Sala --slug another --if-exists create')
  expect([status, (await site.ask(`GET /venues/${id}`)).slug]).toEqual([7, 'sala'])
})
