import { expect, test } from 'vitest'
import { productionSite } from '../support/production-site.ts'
import { wordpressSite } from '../support/wordpress-site.ts'

const fields = { venue: 'Ateneu', address: 'Major 1', phone: '123', website: 'https://a.example', description: 'Old' }

for (const options of ['', '--no-wp'])
  test(`a venue that a site overwrote instead of creating a second one has all it had before (${options || 'wp/v2'})`, async () => {
    const site = await wordpressSite({ options })
    const { id } = await site.ask('POST /venues', fields)
    const before = await site.ask(`GET /venues/${id}`)
    const line = 'venues create --venue Ateneu --phone 456 --description New --city Girona --if-exists create'
    const { status, err } = await site.calctl(line)
    expect([status, err]).toEqual([7, expect.stringContaining('its former values were restored')])
    const { modified: _, modified_utc: __, ...after } = await site.ask(`GET /venues/${id}`)
    expect(before).toMatchObject(after)
  })

test('the slug of a venue that a site overwrote is the earlier one again', async () => {
  const site = await wordpressSite()
  const { id } = await site.ask('POST /venues', { venue: 'Sala' })
  const { status } = await site.calctl('venues create --venue Sala --slug another --if-exists create')
  expect([status, (await site.ask(`GET /venues/${id}`)).slug]).toEqual([7, 'sala'])
})

const asBefore = 'venue,address,city,phone\nAteneu,Major 1,,123\n'

/** A site with a venue that a command overwrote in place of creating a second one, just before the site was gone. */
async function overwrittenAndGone() {
  let isDown = false
  const site = await productionSite({
    intercept: async (request, pass) => {
      if (!isDown && request.method === 'POST' && request.body?.toString().includes('Girona')) {
        await pass(request)
        isDown = true
      }
      return isDown ? { status: 503, headers: { 'content-type': 'text/html' }, body: '<html></html>' } : undefined
    },
  })
  await site.calctl('venues create --venue Ateneu --address "Major 1" --phone 123 -q')
  const line = 'venues create --venue Ateneu --phone 456 --city Girona --if-exists create --retries 0'
  expect((await site.calctl(line)).status).toBe(5)
  isDown = false
  const venues = async () => (await site.calctl('venues list --fields venue,address,city,phone -o csv -q')).out
  expect(await venues()).toContain('Ateneu,Major 1,Girona,456\n')
  return { ...site, venues }
}

test('a venue that was overwritten by a command that ended there gets back what it had when that is resumed', async () => {
  const { calctl, venues } = await overwrittenAndGone()
  const { status, err } = await calctl('runs resume')
  expect([status, err]).toEqual([7, expect.stringContaining('its former values were restored')])
  expect(await venues()).toBe(asBefore)
})

test('an undo never trashes a venue that was overwritten in place of a second one', async () => {
  const { calctl, venues } = await overwrittenAndGone()
  const { status, err } = await calctl('undo --yes')
  expect([status, err]).toEqual([7, expect.stringContaining('restore its former values with: calctl runs resume')])
  expect(await venues()).toContain('Ateneu,Major 1,Girona,456\n')
  expect((await calctl('runs resume')).status).toBe(7)
  expect(await venues()).toBe(asBefore)
})
