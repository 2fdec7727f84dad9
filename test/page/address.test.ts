import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { entry, inBrowser, open } from './in-browser.ts'

const frozen = '--memory --timezone Europe/Madrid --now 2026-12-09T11:20:00Z'
const concert = {
  title: 'Concert',
  lang_code: 'en',
  start_date: '2026-12-11 19:00:00',
  end_date: '2026-12-11 21:00:00',
}

const title = (page: Page) => page.locator('.toolbar .title').textContent()
const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()

inBrowser('where one is on the page', () => {
  test('stands in the address, goes back and forward, and is the same for another person', async () => {
    const { page, create, go, wrong, context, origin } = await open('/?lang=en', frozen)
    const category = await create('categories', { name: 'Jazz', lang_code: 'en' })
    await create('events', { ...concert, categories: [category.id] })
    await create('events', { ...concert, title: 'Market' })
    await go()
    await entry(page, 'Concert').waitFor()
    expect(queryOf(page)).toEqual({ lang: 'en' })
    await page.getByRole('button', { name: 'Week', exact: true }).click()
    await page.getByLabel('Category').selectOption({ label: 'Jazz' })
    await entry(page, 'Market').waitFor({ state: 'detached' })
    await page.getByLabel('Search').fill('conc')
    await page.waitForURL(/search=conc/)
    await entry(page, 'Concert').click()
    await page.getByRole('dialog').waitFor()
    const here = { view: 'week', date: '2026-12-09', lang: 'en', search: 'conc', categories: String(category.id) }
    expect(queryOf(page)).toEqual({ ...here, event: expect.any(String) })

    const other = await context.newPage()
    await other.goto(page.url())
    await other.getByRole('dialog').getByRole('heading', { name: 'Concert' }).waitFor()
    expect(await title(other)).toBe(await title(page))
    expect(await other.getByLabel('Category').inputValue()).toBe(String(category.id))

    await page.keyboard.press('Escape')
    await expect.poll(() => queryOf(page)).toEqual(here)
    await page.goBack()
    await expect.poll(() => page.getByLabel('Search').inputValue()).toBe('')
    await page.goBack()
    await entry(page, 'Market').waitFor()
    await page.goBack()
    await heading(page, 'December 2026')
    await page.goForward()
    await page.locator('.ec-time-grid').waitFor()
    expect(origin).toContain('127.0.0.1')
    expect(wrong).toEqual([])
  })

  test('keys do what people expect, and say so', async () => {
    const { page, create, go } = await open('/?lang=en', frozen)
    await create('events', concert)
    await go()
    await entry(page, 'Concert').waitFor()
    const { keyboard } = page
    const after = async (key: string, name: string) => {
      await keyboard.press(key)
      await heading(page, name)
    }
    await after('ArrowRight', 'January 2027')
    await after('ArrowLeft', 'December 2026')
    await after('ArrowLeft', 'November 2026')
    await after('w', '26 October – 1 November 2026')
    await after('t', '7–13 December 2026')
    expect(await page.title()).toBe('7–13 December 2026 · Events calendar')
    await after('a', '9–15 December 2026')
    await after('l', 'December 2026')
    await after('m', 'December 2026')
    await keyboard.press('/')
    await keyboard.type('t/m')
    expect(await page.getByLabel('Search').inputValue()).toBe('t/m')
    expect(await title(page)).toBe('December 2026')
    await page.locator('h1').click()
    await keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    expect(await help.locator('kbd').allTextContents()).toEqual(['←', '→', 't', 'm', 'w', 'a', 'l', '/', '?', 'Esc'])
    await keyboard.press('Escape')
    await help.waitFor({ state: 'hidden' })
    const next = page.getByRole('button', { name: 'Next', exact: true })
    expect([await next.getAttribute('aria-keyshortcuts'), await next.getAttribute('title')]).toEqual([
      'ArrowRight',
      'Next (→)',
    ])
  })

  test('another language drops a category that it does not have, and says nothing', async () => {
    const { page, create, go } = await open('/?lang=en', frozen)
    const category = await create('categories', { name: 'Jazz', lang_code: 'en' })
    await create('events', { ...concert, categories: [category.id] })
    await create('events', { ...concert, lang_code: 'es', title: 'Concierto' })
    await go()
    await page.getByLabel('Category').selectOption({ label: 'Jazz' })
    await page.getByRole('button', { name: 'es', exact: true }).click()
    await entry(page, 'Concierto').waitFor()
    expect(await page.title()).toBe('Diciembre de 2026 · Calendario de actos')
    expect(await page.locator('.corrected').textContent()).toBe('')
    expect(queryOf(page)).not.toHaveProperty('categories')
  })

  test('an address with what does not exist says so, shows what is nearest, and is corrected', async () => {
    const { page, create, go, wrong } = await open(
      '/?lang=en&view=year&date=2026-12-32&categories=999&event=999&status=nothing',
      frozen,
    )
    await create('events', concert)
    await go()
    await heading(page, 'December 2026')
    await entry(page, 'Concert').waitFor()
    await expect.poll(() => queryOf(page)).toEqual({ view: 'month', date: '2026-12-31', lang: 'en' })
    expect(await page.getByRole('dialog').count()).toBe(0)
    const line = page.locator('.corrected')
    for (const one of ['View: year', 'Date: 2026-12-32', 'Status: nothing', 'Category: 999', 'Event: 999'])
      await line.getByText(one).waitFor()
    await line.getByRole('button', { name: 'Close' }).click()
    expect(await line.textContent()).toBe('')
    expect(wrong.filter(text => !/40\d/.test(text))).toEqual([])
  })
})
