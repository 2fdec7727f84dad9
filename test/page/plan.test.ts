import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { worldOf } from '../support/world.ts'
import { axeFindings, entry, inBrowser, open } from './in-browser.ts'

/** A calendar of March 2027, and the address at which `calctl preview` shows a plan for it. */
async function previewOf(options = {}) {
  const calendar = await open('/', '--memory --timezone Europe/Madrid', { ...options, bypassCSP: true })
  const values = { start_date: '2027-03-04 19:00:00', end_date: '2027-03-04 21:00:00' }
  const created: Record<string, number> = {}
  for (const title of ['Ball', 'Teatre', 'Passejada', 'Lectura'])
    created[title] = (await calendar.create('events', { ...values, title })).id
  const rows = [
    { resource: 'events', id: created.Ball, start_date: '2027-03-09 19:00:00', end_date: '2027-03-09 21:00:00' },
    { resource: 'events', id: created.Teatre, cost: '12 €' },
    { resource: 'events', id: created.Passejada, action: 'trash' },
    { resource: 'events', title: 'Cursa', start_date: '2027-03-06 09:00', end_date: '2027-03-06 11:00', venue: 'Sala' },
  ]
  const cwd = mkdtempSync(join(tmpdir(), 'plan-'))
  writeFileSync(join(cwd, 'season.json'), JSON.stringify(rows))
  const stop = new AbortController()
  const at = `--base-url ${calendar.url}`
  let opened = (_: string) => {}
  const address = new Promise<string>(resolve => {
    opened = resolve
  })
  const calctl = worldOf({ cwd, stopping: stop.signal, openPage: async url => opened(url) })
  await calctl(`diff season.json --create-missing --save plan.json ${at}`)
  const ended = calctl(`preview plan.json ${at}`)
  onTestFinished(async () => {
    stop.abort()
    await ended
  })
  const { page } = calendar
  await page.goto(pathToFileURL(await address).href)
  await page.waitForURL(/month=/)
  return { ...calendar, address: page.url() }
}

inBrowser('a plan in the calendar', () => {
  test.each([{}, { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }] as const)(
    'shows what is new, moved, changed and removed, each with its difference (%o)',
    async options => {
      const { page, address } = await previewOf(options)
      await page.goto(`${address}&lang=ca`)
      const counts = await page.locator('.plan summary').textContent()
      expect(counts?.split(' · ').toSorted()).toEqual(['canviat: 1', 'eliminat: 1', 'nou: 2', 'traslladat: 1'])
      await page.getByText('Encara no s’ha escrit res').waitFor()
      await page.getByText('venue "Sala"', { exact: false }).first().waitFor()
      await page.getByRole('button', { name: 'Mes', exact: true }).click()
      const marks = async (title: string) => entry(page, title).locator('.kind').allTextContents()
      await entry(page, 'Cursa').waitFor()
      expect(await marks('Ball')).toEqual(['traslladat', 'traslladat'])
      expect(await page.locator('.ec-event.before').allTextContents()).toEqual(
        expect.arrayContaining([expect.stringContaining('Ball'), expect.stringContaining('Passejada')]),
      )
      expect([await marks('Teatre'), await marks('Cursa'), await marks('Lectura')]).toEqual([['canviat'], ['nou'], []])
      await page.getByRole('button', { name: 'Mostra: Ball' }).click()
      await entry(page, 'Teatre').click()
      await page.getByRole('dialog').getByText('cost (none) → "12 €"').waitFor()
      await page.keyboard.press('Escape')
      expect(await page.getByText('Per a desenvolupadors').count()).toBe(0)
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      expect(await axeFindings(page)).toEqual([])
    },
  )
})
