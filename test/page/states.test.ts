import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeFindings, type ContextOptions, entry, inBrowser, open } from './in-browser.ts'

const now = '--now 2026-12-09T11:20:00Z --timezone Europe/Madrid --lang en --token secret'

const modes: readonly (readonly [name: string, options: ContextOptions])[] = [
  ['at 1280 px', { viewport: { width: 1280, height: 800 } }],
  ['at 360 px', { viewport: { width: 360, height: 700 } }],
  ['at 360 px in the dark', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
  ['at 360 px with text of 200 %', { viewport: { width: 360, height: 740 } }],
  ['in the dark', { colorScheme: 'dark' }],
  ['in forced colours', { forcedColors: 'active' }],
  ['with text of 200 %', { viewport: { width: 1280, height: 800 } }],
]

/** Makes the text twice as large in the settings of the browser, as the page cannot know. */
async function doubleText(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
}

inBrowser('every view and state of the page', () => {
  test.each(modes)('is accessible %s, without scrolling sideways', { timeout: 120_000 }, async (mode, options) => {
    const { page, create, go, url, wrong } = await open('/?lang=en&view=year', `--memory ${now}`, {
      ...options,
      bypassCSP: true,
    })
    const category = await create('categories', { name: 'Music' })
    const times = { start_date: '2026-12-09 19:00:00', end_date: '2026-12-09 21:00:00' }
    await create('events', { title: 'Concert', ...times, categories: [category.id], cost: '5 €', description: 'Text' })
    await create('events', { title: 'Fair', start_date: '2026-12-07 10:00:00', end_date: '2026-12-20 21:00:00' })
    await create('events', { title: 'Draft', ...times, status: 'draft' })
    if (mode.includes('200')) await doubleText(page)
    await go()
    const found: string[] = []
    const check = async (state: string) => {
      found.push(...(await axeFindings(page, { all: true })).map(text => `${state}: ${text}`))
      const tooWide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      if (Number(tooWide) > 0) found.push(`${state}: ${tooWide} px too wide`)
    }
    await page.locator('.corrected', { hasText: 'View: year' }).waitFor()
    for (const view of ['Month', 'Week', 'Agenda', 'List']) {
      await page.getByRole('button', { name: view, exact: true }).click()
      // With large text, a month on a narrow screen counts the events of each day.
      const isCounted = mode === 'at 360 px with text of 200 %' && view === 'Month'
      await (isCounted ? page.locator('.more') : entry(page, 'Concert')).first().waitFor()
      await check(view)
    }
    await entry(page, 'Concert').first().click()
    await page.getByRole('dialog').waitFor()
    await check('card')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await page.locator('.notice.empty').waitFor()
    await check('empty')
    if (mode.includes('360')) await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByLabel('Search').fill('nothing')
    await page.locator('.notice.empty', { hasText: 'Search: nothing' }).waitFor()
    await check('empty by a search')
    await page.getByLabel('Search').fill('')
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await page.getByRole('dialog').waitFor()
    await check('help')
    await page.keyboard.press('Escape')
    let answer = () => {}
    const answered = new Promise<void>(resolve => {
      answer = resolve
    })
    await page.route('**/events?*', async route => {
      await answered
      await route.continue()
    })
    await page.getByRole('button', { name: 'Previous', exact: true }).click()
    await page.locator('[aria-busy="true"]').waitFor()
    await check('loading')
    answer()
    await entry(page, 'Concert').first().waitFor()
    await page.unroute('**/events?*')
    await page.getByText('For editors').click()
    await page.getByRole('button', { name: 'Show drafts and private events' }).click()
    await entry(page, 'Draft').first().waitFor()
    await check('editor')
    expect(wrong).toEqual([])
    const headers = { 'x-calctl-token': 'secret', 'content-type': 'application/json', connection: 'close' }
    const fail = JSON.stringify({ route: 'GET /events', status: 503 })
    await fetch(`${url}/__calctl/fail`, { method: 'POST', headers, body: fail })
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await page.locator('.notice.wrong').waitFor()
    await check('error')
    expect(found).toEqual([])
    // The days of another month under this title would be wrong.
    expect(await page.locator('.ec-event').count()).toBe(0)
  })
})
