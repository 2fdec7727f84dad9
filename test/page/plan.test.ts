import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Locator } from 'playwright-core'
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

  test.each([{}, { viewport: { width: 360, height: 740 } }] as const)(
    'is laid out for a decision: names, boxes beside their texts, one filled button, and events that are pointed at (%o)',
    async options => {
      const { page, url } = await previewOf(options, '--approve')
      const boxOf = async (what: Locator) => {
        const { x, y, width, height } = (await what.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
        return { x, y, width, height, bottom: y + height }
      }
      await page.getByRole('heading', { name: 'Calendari d’actes', exact: true }).waitFor()
      await page.locator('.plan li').first().waitFor()
      expect(await page.locator('.town').textContent()).toContain(new URL(url).host)
      expect(await page.title()).not.toContain('127.0.0.1')
      const rows = await page.locator('.plan li').all()
      const texts = await Promise.all(rows.map(row => boxOf(row.locator('.sentence'))))
      expect(new Set(texts.map(({ x }) => Math.round(x))).size).toBe(1)
      for (const row of rows) {
        const [box, mark] = [await boxOf(row.getByRole('checkbox')), await boxOf(row.locator('.kind'))]
        expect(Math.abs(box.y + box.height / 2 - mark.y - mark.height / 2)).toBeLessThan(5)
      }
      await page.locator('.plan ul').evaluate(list => list.scrollTo(0, 1e6))
      const question = await boxOf(page.locator('.question'))
      expect((await boxOf(page.locator('.plan li').last())).bottom).toBeLessThan(question.y)
      const colours = `[...document.querySelectorAll('.approval button')].map(one => getComputedStyle(one).backgroundColor)`
      expect(await page.evaluate(colours)).toEqual(['rgb(27, 95, 174)', 'rgb(255, 255, 255)'])
      for (const [title, text] of [
        ['Ball', 'traslladat'],
        ['Cursa', 'nou'],
        ['Passejada', 'eliminat'],
      ] as const) {
        await page.getByRole('button', { name: `Mostra: ${title}` }).click()
        const event = page.locator('.ec-event.pointed', { hasText: title })
        await event.waitFor()
        expect(await event.textContent()).toContain(text)
        if (title === 'Ball') expect(await event.getAttribute('class')).not.toContain('before')
        const { y, bottom } = await boxOf(event)
        expect([y > 0, bottom < (page.viewportSize()?.height ?? 0)], title).toEqual([true, true])
        expect(await page.locator('.pointed').count()).toBe(1)
        expect(await page.evaluate(`getComputedStyle(document.querySelector('.pointed')).outlineWidth`)).toBe('4px')
      }
      expect(await axeFindings(page)).toEqual([])
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
