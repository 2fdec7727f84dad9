import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { worldOf } from '../support/world.ts'
import { axeFindings, entry, inBrowser, open } from './in-browser.ts'

/** A calendar of March 2027, and the address at which `calctl preview` shows a plan for it. */
async function previewOf(options = {}, flags = '') {
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
  const ended = calctl(`preview plan.json ${flags} ${at}`)
  onTestFinished(async () => {
    stop.abort()
    await ended
  })
  const { page } = calendar
  await page.goto(pathToFileURL(await address).href)
  await page.waitForURL(/month=/)
  const stored = async () =>
    (await calctl(`events list --all-dates -o csv --fields title,start_date,cost,venue ${at}`)).out
  return { ...calendar, address: page.url(), ended, stored, calctl, at }
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

  test.each([{}, { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }] as const)(
    'is approved by keyboard without one change, carried out, and undone exactly (%o)',
    async options => {
      const { page, ended, stored, calctl, at, wrong } = await previewOf(options, '--approve')
      const before = await stored()
      const apply = page.getByRole('button', { name: 'Aplica', exact: true })
      await page
        .getByText('crea 1 recinte', { exact: false })
        .or(page.getByText('create 1 venue', { exact: false }))
        .first()
        .waitFor()
      // What is hardest to take back comes first.
      expect((await page.locator('.plan li .kind').allTextContents())[0]).toBe('eliminat')
      expect(await axeFindings(page, { all: false })).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      await page.getByRole('checkbox', { name: 'Fes-ho: Passejada' }).focus()
      await page.keyboard.press('Space')
      await page.waitForFunction("!document.querySelector('.question').textContent.includes('trash')")
      expect(await page.getByRole('checkbox', { name: 'Fes-ho: Passejada' }).isChecked()).toBe(false)
      await apply.focus()
      await page.keyboard.press('Enter')
      await page.getByText('Undo: calctl undo', { exact: false }).waitFor()
      const said = await page.locator('.question').textContent()
      expect(said).toMatch(/^4 done\. Undo: calctl undo \w+/)
      expect(await axeFindings(page)).toEqual([])
      const { status, err } = await ended
      expect(status, err).toBe(0)
      expect(await stored()).toContain('Passejada')
      expect(await stored()).not.toBe(before)
      const run = /calctl undo (\w+)/.exec(said ?? '')?.[1]
      expect(await calctl(`undo ${run} --yes ${at}`)).toMatchObject({ status: 0 })
      expect(await stored()).toBe(before)
      expect(wrong.filter(one => !/^(http|file|Failed to load resource)/.test(one))).toEqual([])
    },
  )

  test('is refused with "Not this", and nothing is written', async () => {
    const { page, ended, stored } = await previewOf({}, '--approve')
    const before = await stored()
    await page.getByRole('button', { name: 'Això no' }).click()
    await page.getByText('Rebutjat: no s’ha escrit res', { exact: false }).waitFor()
    expect((await ended).status).toBe(8)
    expect(await stored()).toBe(before)
    expect(await page.getByRole('button', { name: 'Aplica', exact: true }).count()).toBe(0)
  })
})
