import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { entry, inBrowser, open } from './in-browser.ts'

/** A served calendar with events, on a clock in December 2026. */
function town(events: readonly object[]): string {
  const file = join(mkdtempSync(join(tmpdir(), 'turning-')), 'town.json')
  const rows = events.map((one, index) => ({ id: index + 1, status: 'publish', ...one }))
  const site = { timezone: 'Europe/Madrid', language: 'en' }
  writeFileSync(file, JSON.stringify({ calctl: 1, site, events: rows }))
  return `--file ${file} --now 2026-12-09T11:20:00Z`
}

const on = (day: string, title: string) => ({
  title,
  start_date: `${day} 19:00:00`,
  end_date: `${day} 21:00:00`,
})
const concerts = (count: number) => Array.from({ length: count }, (_, index) => on('2026-12-09', `Concert ${index}`))

/** What is drawn in the task of a press. */
const pressed = (page: Page, value: string) =>
  page.evaluate<{ title: string; isCovered: boolean; isBusy: boolean; events: number }>(`(() => {
    document.querySelector('button[value=${value}]').click()
    const calendar = document.querySelector('.calendar')
    return {
      title: document.querySelector('.toolbar .title').textContent,
      isCovered: calendar.classList.contains('turning'),
      isBusy: calendar.getAttribute('aria-busy') === 'true',
      events: document.querySelectorAll('.ec-event').length,
    }
  })()`)

inBrowser('a press is answered at once', () => {
  test('by the title and a cover over the last days, which cannot be opened any more, before the next ones are drawn', async () => {
    const { page, go, wrong } = await open('/?lang=en', town([on('2026-12-09', 'Concert')]))
    await go()
    await entry(page, 'Concert').waitFor()
    expect(await pressed(page, 'next')).toEqual({ title: 'January 2027', isCovered: true, isBusy: true, events: 1 })
    await page.evaluate(`document.querySelector('.ec-event')?.click()`)
    await page.locator('.turning').waitFor({ state: 'detached' })
    await page.locator('time[datetime="2027-01-20"]').waitFor()
    expect(await page.locator('.ec-event').count()).toBe(0)
    expect(await page.locator('dialog[open]').count()).toBe(0)
    expect(wrong).toEqual([])
  })

  test('and presses that follow each other fast lead to the last of them, drawn once', async () => {
    const { page, go } = await open('/?lang=en', town([on('2027-02-10', 'Carnival'), on('2027-03-10', 'Spring')]))
    await go()
    await page.locator('.ec-today').waitFor()
    await page.evaluate(`(() => {
      window.months = new Set()
      new MutationObserver(() => {
        for (const one of document.querySelectorAll('time[datetime$="-15"]')) window.months.add(one.dateTime)
      }).observe(document.querySelector('.calendar'), { subtree: true, childList: true, attributes: true })
      for (const value of ['next', 'next', 'week', 'next', 'month'])
        document.querySelector('button[value=' + value + ']').click()
    })()`)
    await entry(page, 'Carnival').waitFor()
    expect(await page.getByRole('heading', { name: 'February 2027' }).count()).toBe(1)
    expect(await page.evaluate('[...window.months]')).toEqual(['2026-12-15', '2027-02-15'])
    await page.goBack()
    await page.getByRole('button', { name: 'Week', exact: true, pressed: true }).waitFor()
  })

  test('a list of hundreds is drawn in pieces, to its end, and is not shortened by a change', async () => {
    const { page, go, create } = await open('/?lang=en', town(concerts(350)))
    await go()
    await page.locator('.more').waitFor()
    await page.evaluate(`(() => {
      window.counts = new Set()
      new MutationObserver(() => window.counts.add(document.querySelectorAll('.ec-list .ec-event').length))
        .observe(document.querySelector('.calendar'), { subtree: true, childList: true })
      document.querySelector('button[value=list]').click()
    })()`)
    const count = () => page.locator('.ec-list .ec-event').count()
    await expect.poll(count).toBe(350)
    expect((await page.evaluate<number[]>('[...window.counts]')).filter(one => one > 0)).toEqual(
      Array.from({ length: 7 }, (_, index) => 50 * (index + 1)),
    )
    await page.evaluate('window.counts.clear()')
    await create('events', on('2026-12-10', 'Late'))
    await expect.poll(count).toBe(351)
    expect(await page.evaluate('[...window.counts]')).toEqual([351])
  })
})

/** Adds up what jumps, but for what a press moves within half a second. */
const addShifts = `
  window.shifts = 0
  new PerformanceObserver(list => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifts += one.value
  }).observe({ type: 'layout-shift', buffered: true })`

inBrowser('answers that come late', () => {
  test.each([1280, 360])('move nothing on the screen at %s px', { timeout: 60_000 }, async width => {
    const days = [7, 8, 9, 9, 10, 21].map(day => on(`2026-12-${String(day).padStart(2, '0')}`, `Concert ${day}`))
    const options = { viewport: { width, height: 740 } }
    const { page, go } = await open('/?lang=en&view=month', town([...days, on('2027-04-01', 'April')]), options)
    await page.addInitScript(addShifts)
    // Half a second after a press, browsers count what moves.
    await page.route('**/events?*', async route => {
      await new Promise(resolve => setTimeout(resolve, 600))
      await route.continue().catch(() => {})
    })
    const settled = async () => {
      await page.locator('.calendar:is(.turning, [aria-busy])').waitFor({ state: 'detached' })
      await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
    }
    await go()
    await entry(page, 'Concert').first().waitFor()
    const moved = new Map([['first', await page.evaluate('window.shifts')]])
    for (const value of ['next', 'previous', 'week', 'agenda', 'next', 'list', 'next', 'previous', 'month']) {
      await page.locator(`button[value=${value}]`).click()
      await settled()
      if (value === 'next') await page.waitForTimeout(700)
      moved.set(value, await page.evaluate('window.shifts'))
    }
    expect(moved.get('month'), JSON.stringify([...moved])).toBeLessThan(0.05)
  })
})
