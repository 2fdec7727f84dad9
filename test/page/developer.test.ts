import { expect, test } from 'vitest'
import { axeFindings, entry, event, inBrowser, open } from './in-browser.ts'

inBrowser('the panel for developers', () => {
  test('asks for the token, shows the requests, and sets faults, latency and clock', async () => {
    const { page, create, go, wrong } = await open('/?lang=en', '--memory --token secret', { bypassCSP: true })
    await go()
    await page.getByRole('status').getByText('No events').waitFor()
    // It is nothing for visitors.
    expect(await page.getByText('The request of this view').isVisible()).toBe(false)
    await page.getByText('For developers').click()
    await page.getByText('The request of this view').waitFor()
    const connect = async (token: string) => {
      await page.getByLabel('Token of the server').fill(token)
      await page.getByRole('button', { name: 'Connect' }).click()
    }
    await connect('wrong')
    await page.getByText('Send the token of calctl serve').waitFor()
    expect(wrong).toEqual([expect.stringContaining('403')])
    await connect('secret')
    await page.getByText('All requests succeed.').waitFor()
    await create('venues', { venue: 'Teatre' })
    const rows = page.locator('.log tbody tr')
    await rows.filter({ hasText: 'POST/calendar/events/v1/venues201' }).waitFor()

    await page.getByLabel('Route').fill('GET /events')
    await page.locator('select[name=fault]').selectOption('503')
    await page.getByLabel('Times').fill('1')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByText('GET /events → 503 × 1').waitFor()
    await page.getByLabel('Search').fill('x')
    await page.getByText('The calendar cannot be shown right now (error 503)').waitFor()
    await rows.filter({ hasText: '503' }).and(page.locator('.failed')).waitFor()
    await page.getByRole('status').getByText('No events').waitFor()

    await page.getByLabel('Delay of answers').fill('much')
    await page.getByRole('group', { name: 'Latency' }).getByRole('button').click()
    await page.getByText('latency: expected a duration').waitFor()
    await page.getByLabel('Delay of answers').fill('1ms-2ms')
    await page.getByRole('group', { name: 'Latency' }).getByRole('button').click()
    await page.getByText('latency: expected a duration').waitFor({ state: 'hidden' })
    await page.getByLabel('Stop at').fill('2026-12-05T09:00')
    await page.getByRole('group', { name: 'Clock' }).getByRole('button', { name: 'Set' }).click()
    await page.getByText('The clock stands.').waitFor()
    expect(await page.getByLabel('Delay of answers').inputValue()).toBe('1ms-2ms')
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Real time' }).click()
    await page.getByText('The clock is as it was').waitFor()
  })

  test('takes the token from the address, and leaves it out of it', async () => {
    const { page, go, wrong } = await open('/?lang=ca#token=secret', '--memory --token secret')
    await go()
    await page.getByText('Per a desenvolupadors').click()
    await page.getByText('Totes les peticions reïxen.').waitFor()
    expect(page.url()).not.toContain('secret')
    expect(await page.content()).not.toContain('secret')
    expect(wrong).toEqual([])
  })
})

inBrowser('what others write', () => {
  test('appears at once, and nothing is read again without a change', async () => {
    const reads: string[] = []
    const { page, create, go } = await open()
    page.on(
      'request',
      request =>
        request.url().includes('per_page=50') && request.url().includes('/events?') && reads.push(request.url()),
    )
    await go()
    await page.getByRole('status').getByText('Cap esdeveniment').waitFor()
    await create('events', event('Arriba sol'))
    await entry(page, 'Arriba sol').waitFor()
    expect(reads).toHaveLength(2)
  })

  test('a lost connection is said, and taken up again', async () => {
    const { page, create, go, stop, origin } = await open()
    await create('events', event('Abans'))
    await go()
    await entry(page, 'Abans').waitFor()
    await stop()
    await page.getByText('El servidor no respon').waitFor()
    const again = await open('/', `--memory --timezone Europe/Madrid --port ${new URL(origin).port}`)
    await again.create('events', event('Després'))
    await entry(page, 'Després').waitFor()
    expect(await page.getByText('El servidor no respon').count()).toBe(0)
  })
})
