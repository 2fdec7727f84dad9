import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serve } from './serve-page.ts'

const executablePath = spawnSync('which', ['chromium'], { encoding: 'utf8' }).stdout.trim()

/** In CI the browser is installed, unless nothing can be installed there. */
const isMissing = executablePath === ''

let browser: Browser
beforeAll(async () => {
  if (!isMissing) browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
})
afterAll(async () => browser?.close())

/** A page of a calendar, and what went wrong in it: errors on the console, and requests to other origins. */
async function open(
  path: string,
  options: Parameters<Browser['newContext']>[0] = {},
  calendar = '--memory --timezone Europe/Madrid',
) {
  const server = await serve(calendar)
  const context = await browser.newContext({ locale: 'ca-ES', bypassCSP: false, ...options })
  const page = await context.newPage()
  const wrong: string[] = []
  page.on('console', message => message.type() === 'error' && wrong.push(message.text()))
  page.on('pageerror', error => wrong.push(error.message))
  page.on('request', request => request.url().startsWith(server.origin) || wrong.push(request.url()))
  const go = () => page.goto(server.origin + path)
  return { ...server, page, wrong, go, close: () => context.close() }
}

const today = new Date().toISOString().slice(0, 10)
const event = (title: string) => ({ title, start_date: `${today} 19:00:00`, end_date: `${today} 21:00:00` })
const entry = (page: Page, title: string) => page.locator('.ec-event', { hasText: title })
const titles = (page: Page) => page.locator('.ec-event').allTextContents()

describe.skipIf(isMissing)(
  `the calendar in a browser${isMissing ? ' (skipped: chromium is not installed)' : ''}`,
  () => {
    test('shows events, finds them as one types, and speaks three languages', async () => {
      const { page, create, go, wrong, close } = await open('/')
      await create('events', event('Concert'))
      await create('events', event('Mercat'))
      await go()
      await entry(page, 'Concert').waitFor()
      expect(await page.getByRole('button', { name: 'Mes', exact: true }).count()).toBe(1)
      await page.getByLabel('Cerca').fill('merc')
      await entry(page, 'Concert').waitFor({ state: 'detached' })
      expect(await titles(page)).toEqual([expect.stringContaining('Mercat')])
      await page.getByRole('button', { name: 'es', exact: true }).click()
      await page.getByLabel('Buscar').waitFor()
      expect(await page.locator('html').getAttribute('lang')).toBe('es')
      expect(wrong).toEqual([])
      await close()
    })

    test('shows what another program writes, without being loaded again', async () => {
      const { page, create, go, close } = await open('/')
      await go()
      await create('events', event('Arriba sol'))
      await entry(page, 'Arriba sol').waitFor({ timeout: 15_000 })
      await close()
    })

    test('shows a hostile title as text, and a card that the keyboard opens and closes', async () => {
      const { page, create, go, wrong, close } = await open('/')
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
      await close()
    })

    test('filters by category, and shows the translations of an event beside it', async () => {
      const { page, go, wrong, close } = await open('/?lang=ca', {}, '--demo --quirks')
      await go()
      await entry(page, 'Mercat de pagès').first().waitFor()
      await page.getByLabel('Categoria').selectOption({ label: 'Fires i mercats' })
      await entry(page, 'Tai-txi').first().waitFor({ state: 'detached' })
      await entry(page, 'Mercat de pagès').first().click()
      await page.getByText('en: Farmers’ market').waitFor()
      await page.getByText('es: Mercado de productores').waitFor()
      expect(wrong).toEqual([])
      await close()
    })

    test('says which request it sent, and what was answered', async () => {
      const { page, create, go, close } = await open('/')
      await create('events', event('Concert'))
      await go()
      await page.getByText('La petició d’aquesta vista').click()
      const lines = await page.locator('.asked pre').allTextContents()
      expect(lines.slice(0, 4)).toEqual([
        expect.stringMatching(/^http:.*\/events\?ends_after=.*lang_code=ca$/),
        expect.stringMatching(/^curl 'http:/),
        expect.stringMatching(/^calctl events list --base-url http:.* --lang ca$/),
        expect.stringMatching(/^client\.events\.list\(\{ endsAfter: /),
      ])
      expect(JSON.parse(lines[4] ?? '')).toMatchObject([{ title: 'Concert' }])
      await close()
    })

    test.each([
      ['at 360 px', { viewport: { width: 360, height: 700 } }],
      ['in the dark', { colorScheme: 'dark' }],
    ] as const)('fits and is accessible %s', async (_, options) => {
      const { page, create, go, close } = await open('/', { ...options, bypassCSP: true })
      await create('events', event('Concert'))
      await go()
      await entry(page, 'Concert').waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      await page.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') })
      const { violations } = (await page.evaluate('axe.run()')) as { violations: { id: string; impact: string }[] }
      expect(
        violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id),
      ).toEqual([])
      await close()
    })
  },
)
