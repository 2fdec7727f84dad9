import { expect, test } from 'vitest'
import { axeFindings, entry, event, inBrowser, open, titles, today } from './in-browser.ts'

inBrowser('the calendar in a browser', () => {
  test('shows events, finds them as one types, and speaks three languages', async () => {
    const { page, create, go, wrong } = await open()
    await create('events', event('Concert'))
    await create('events', event('Mercat'))
    await go()
    await entry(page, 'Concert').waitFor()
    expect(await page.getByRole('button', { name: 'Mes', exact: true }).getAttribute('aria-pressed')).toBe('true')
    await page.getByLabel('Cerca').fill('merc')
    await entry(page, 'Concert').waitFor({ state: 'detached' })
    expect(await titles(page)).toEqual([expect.stringContaining('Mercat')])
    await page.getByRole('button', { name: 'es', exact: true }).click()
    await page.getByLabel('Buscar').waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('es')
    expect(wrong).toEqual([])
  })

  test('shows what another program writes, without being loaded again', async () => {
    const { page, create, go } = await open()
    await go()
    await create('events', event('Arriba sol'))
    await entry(page, 'Arriba sol').waitFor()
  })

  test('shows a hostile title as text, and a card that the keyboard opens and closes', async () => {
    const { page, create, go, wrong } = await open()
    await create('events', event('<img src=x onerror=alert(1)>Títol'))
    await create('events', event('&lt;script&gt;alert(1)&lt;/script&gt;'))
    await go()
    const first = page.locator('.ec-event').first()
    await first.waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    await first.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(wrong).toEqual([])
  })

  test('filters by category, and shows editors, but not visitors, the translations of an event', async () => {
    const { page, go, wrong } = await open('/?lang=ca', '--demo --quirks --open')
    const days: string[] = []
    page.on('request', request => request.url().includes('strict_dates') && days.push(request.url()))
    await go()
    await entry(page, 'Mercat de pagès').first().waitFor()
    await page.getByLabel('Categoria').selectOption({ label: 'Fires i mercats' })
    await entry(page, 'Tai-txi').first().waitFor({ state: 'detached' })
    await entry(page, 'Mercat de pagès').first().click()
    await page.getByRole('dialog').getByText('Pàgina de l’esdeveniment').waitFor()
    await page.keyboard.press('Escape')
    expect(days).toHaveLength(0)
    await page.getByText('Per a editors').click()
    await page.getByRole('button', { name: 'Mostra els esborranys' }).click()
    await entry(page, 'Mercat de pagès').first().click()
    await page.getByText('en: Farmers’ market').waitFor()
    await page.getByText('es: Mercado de productores').waitFor()
    expect(days).toHaveLength(2)
    expect(wrong).toEqual([])
  })

  test('a search that is cleared just before the language is changed stays cleared', async () => {
    const { page, create, go } = await open()
    await create('events', event('Concert'))
    await create('events', event('Ball'))
    await go()
    await page.getByPlaceholder('Cerca').fill('Ball')
    await entry(page, 'Concert').waitFor({ state: 'detached' })
    await page.getByPlaceholder('Cerca').fill('')
    await page.getByRole('button', { name: 'es', exact: true }).click()
    await page.waitForFunction("!location.search.includes('search')")
  })

  test('an agenda has seven days, with the hours, place and cost of each event', async () => {
    const { page, create, go } = await open()
    const venue = await create('venues', { venue: 'Teatre', city: 'Girona' })
    await create('events', event('Concert', { venue: venue.id, cost: '5 €' }))
    await go()
    await page.getByRole('button', { name: 'Agenda' }).click()
    await entry(page, 'Concert').getByText('Teatre, Girona · 5').waitFor()
    expect(await entry(page, 'Concert').locator('.hours').textContent()).toBe('19:00–21:00')
    expect(await page.locator('.ec-day-head time').first().getAttribute('datetime')).toBe(today)
  })

  test.each([
    ['at 360 px', { viewport: { width: 360, height: 700 } }],
    ['in the dark', { colorScheme: 'dark' }],
  ] as const)('fits and is accessible %s', async (_, options) => {
    const { page, create, go } = await open('/', undefined, { ...options, bypassCSP: true })
    await create('events', event('Concert'))
    await go()
    await entry(page, 'Concert').waitFor()
    await page.getByText('Per a desenvolupadors').click()
    await page.getByText('La petició d’aquesta vista').click()
    await page.locator('.asked .json').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    expect(await axeFindings(page)).toEqual([])
  })
})
