import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { entry, inBrowser, open } from './in-browser.ts'

const serving = '--memory --timezone Europe/Madrid --token secret'
const frozen = `${serving} --now 2026-12-09T11:20:00Z`

/** Browsers whose own clocks and zones are not those of the calendar. */
const browsers = ['America/Los_Angeles', 'Europe/London', 'Pacific/Auckland']

inBrowser('the clock of the calendar', () => {
  test.each(browsers)('draws today, the present and the first view in a browser of %s', async timezoneId => {
    const { page, go, url, wrong } = await open('/?lang=en', frozen, { timezoneId })
    await page.clock.setFixedTime(new Date('2031-05-20T03:00:00Z'))
    await go()
    await page.getByRole('heading', { name: 'December 2026' }).waitFor()
    const today = page.locator('.ec-day.ec-today time')
    expect(await datesOf(today)).toEqual(['2026-12-09'])
    await page.getByRole('button', { name: 'Week', exact: true }).click()
    await page.locator(column).waitFor()
    expect(await hourOfLine(page)).toBeCloseTo(12 + 20 / 60, 1)

    // 23:30 in the zone of the calendar: it is already tomorrow in the east, and still noon in the west.
    const moved = await fetch(`${url}/__calctl/clock`, {
      method: 'POST',
      headers: { 'x-calctl-token': 'secret', 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ now: '2027-03-05T22:30:00Z' }),
    })
    expect(moved.status).toBe(200)
    await page.locator(column).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Today' }).click()
    await page.locator(column).waitFor()
    expect(await hourOfLine(page)).toBeCloseTo(23.5, 1)
    await page.getByRole('button', { name: 'Month', exact: true }).click()
    await page.getByRole('heading', { name: 'March 2027' }).waitFor()
    await expect.poll(() => datesOf(today)).toEqual(['2027-03-05'])
    expect(wrong).toEqual([])
  })

  test('an event stands at its hour in every zone', async () => {
    for (const timezoneId of browsers) {
      const { page, create, go } = await open('/?lang=en', frozen, { timezoneId })
      const day = '2026-12-09'
      await create('events', {
        title: 'Concert',
        lang_code: 'en',
        start_date: `${day} 19:00`,
        end_date: `${day} 21:00`,
      })
      await go()
      await entry(page, '19:00 Concert').waitFor()
      const row = page.locator('.ec-event', { hasText: 'Concert' })
      expect(await row.getAttribute('style')).toMatch(/grid-area: ?\d+ \/ 3\b/)
    }
  })
})

const datesOf = async (days: Locator) => Promise.all((await days.all()).map(one => one.getAttribute('datetime')))

/** The column of today in a week. */
const column = '.ec-body .ec-day.ec-today'

/** The hour of the day at which the line of the present stands. */
const hourOfLine = (page: Page): Promise<number> =>
  page.evaluate(`(() => {
    const column = document.querySelector('${column}')
    return parseFloat(getComputedStyle(column, '::after').top) / column.clientHeight * 24
  })()`)
