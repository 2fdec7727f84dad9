import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest'
import { skipped } from '../support/skipped.ts'
import { serve } from './serve-page.ts'

const executablePath = spawnSync('which', ['chromium'], { encoding: 'utf8' }).stdout.trim()

/** `.ci/run` installs the browser, and a run of CI without it must not look as if these tests had passed. */
const isSkipped = executablePath === '' && process.env.CI !== 'true'

let browser: Browser

/** Tests that need a browser, of which the calendar is opened with `open`. */
export function inBrowser(name: string, tests: () => void): void {
  describe.skipIf(isSkipped)(`${name}${skipped(isSkipped, 'chromium is not installed')}`, () => {
    beforeAll(async () => {
      expect(executablePath, 'chromium is not installed').not.toBe('')
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    })
    afterAll(async () => browser?.close())
    tests()
  })
}

export type ContextOptions = Parameters<Browser['newContext']>[0]

/** An empty page of a browser without cookies. */
export async function newPage(options: ContextOptions = {}) {
  const context = await browser.newContext({ locale: 'ca-ES', viewport: { width: 1200, height: 900 }, ...options })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  return { context, page }
}

/** A page of a calendar, and what went wrong in it: errors on the console, and requests to other origins. */
export async function open(path = '/', serving = '--memory --timezone Europe/Madrid', options: ContextOptions = {}) {
  const server = await serve(serving)
  const { context, page } = await newPage(options)
  const wrong: string[] = []
  page.on('console', message => message.type() === 'error' && wrong.push(message.text()))
  page.on('pageerror', error => wrong.push(error.message))
  page.on('request', request => request.url().startsWith(server.origin) || wrong.push(request.url()))
  const go = () => page.goto(server.origin + path)
  return { ...server, page, wrong, go, context }
}

/** What axe finds, or only what keeps people from using the page. The page has to be opened with `bypassCSP`. */
export async function axeFindings(page: Page, { all = false } = {}): Promise<string[]> {
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') })
  const { violations } = (await page.evaluate('axe.run()')) as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[]
  }
  return (
    violations
      // The library's buttons are articles, which is no role for them; screen readers say that they are buttons.
      .filter(({ id }) => id !== 'aria-allowed-role')
      .filter(({ impact }) => all || impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  )
}

/** The day where the calendars of `open` are. */
export const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid' }).format()
export const event = (title: string, values: object = {}) => ({
  title,
  start_date: `${today} 19:00:00`,
  end_date: `${today} 21:00:00`,
  ...values,
})
export const entry = (page: Page, title: string) => page.locator('.ec-event', { hasText: title })
export const titles = (page: Page) => page.locator('.ec-event').allTextContents()
