import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { axeFindings, entry, event, inBrowser, open, today } from './in-browser.ts'

const yearsLater = (years: number) => `${Number(today.slice(0, 4)) + years}${today.slice(4)}`

/** Titles, and what is seen of them. */
const hostileTitles: Readonly<Record<string, string>> = {
  '<img src=x onerror=alert(1)>': '<img src=x',
  '&lt;script&gt;alert(1)&lt;/script&gt;': '<script>alert(1)',
  'javascript:alert(1)': 'javascript:alert(1)',
  '\u202etxet desrever\u202c and more': 'txet desrever',
  ['long'.repeat(2500)]: 'longlong',
  Picture: 'Picture',
  Elsewhere: 'Elsewhere',
}

/** A calendar file holds texts that no request could write. */
function fileOf(titles: readonly string[]): string {
  const file = join(mkdtempSync(join(tmpdir(), 'hostile-')), 'town.json')
  const events = titles.map((title, index) => ({ id: index + 1, ...event(title, { description: title }) }))
  writeFileSync(file, JSON.stringify({ calctl: 1, site: { timezone: 'Europe/Madrid', language: 'en' }, events }))
  return file
}

inBrowser('what a calendar may contain', () => {
  test.each([
    ['wide, light', {}],
    [
      '360 px, dark, reduced motion',
      { viewport: { width: 360, height: 740 }, colorScheme: 'dark', reducedMotion: 'reduce' },
    ],
  ] as const)(
    'hostile texts, a missing image and an event of ten years fit and are accessible in every view (%s)',
    async (_, options) => {
      const { page, create, go, wrong, origin } = await open(
        '/?lang=en',
        `--file ${fileOf(Object.keys(hostileTitles).slice(0, -2))}`,
        {
          ...options,
          bypassCSP: true,
        },
      )
      // No server of ours gives such a link; a recorded one might.
      await page.route('**/events?*', async route => {
        const text = await (await route.fetch()).text()
        await route.fulfill({ body: text.replaceAll('"website":""', '"website":"javascript:alert(1)"') })
      })
      await create('events', event('Picture', { image: `${origin}/missing.png`, lang_code: 'en' }))
      await create('events', event('Elsewhere', { image: 'https://example.org/a.png', lang_code: 'en' }))
      await create('events', event('Decade', { end_date: `${yearsLater(10)} 21:00:00`, lang_code: 'en' }))
      await go()
      await entry(page, 'Decade').first().waitFor()
      for (const view of ['Month', 'Week', 'Agenda', 'List']) {
        await page.getByRole('button', { name: view, exact: true }).click()
        await entry(page, 'Decade').first().waitFor()
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), view).toBeLessThanOrEqual(0)
        expect(await axeFindings(page), view).toEqual([])
      }
      for (const title of Object.values(hostileTitles)) {
        await entry(page, title).first().click()
        await page.getByRole('heading', { name: title }).waitFor()
        expect(await page.locator('a[href^="javascript"]').count()).toBe(0)
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
        expect(await axeFindings(page)).toEqual([])
        await page.keyboard.press('Escape')
      }
      expect(await page.locator('.card img').count()).toBe(0)
      expect(wrong.filter(text => !text.includes('404'))).toEqual([])
    },
  )

  test('two thousand events on a day: a month counts them, and the agenda has them all', async () => {
    const { page, go } = await open(
      '/?lang=en',
      `--file ${fileOf(Array.from({ length: 2000 }, (_, index) => `Number ${index}`))}`,
    )
    await go()
    await page.getByText(/^199\d more$/).click()
    await entry(page, 'Number 1999').waitFor()
    expect(await page.locator('.ec-event').count()).toBe(2000)
    // The month does not draw what the agenda has: that took half a minute, in which nothing could be pressed.
    await page.getByRole('button', { name: 'Month', exact: true }).click()
    await page.getByText(/^199\d more$/).waitFor({ timeout: 15_000 })
  })

  test('the keyboard alone reaches everything', async () => {
    const { page, go } = await open('/?lang=en', '--memory --token secret --user boss:secret')
    await go()
    await page.getByLabel('Search').waitFor()
    const reached = new Set<string>()
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press('Tab')
      reached.add(
        await page.evaluate<string>(
          '(document.activeElement.getAttribute("aria-label") ?? document.activeElement.name ?? "") || document.activeElement.textContent',
        ),
      )
    }
    for (const name of [
      'Sign in',
      'search',
      'categories',
      'organizer',
      'es',
      'Subscribe',
      'Previous',
      'Month',
      'List',
      'For developers',
    ])
      expect([...reached]).toContain(name)
  })
})
