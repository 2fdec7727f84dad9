import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { skipped } from '../support/skipped.ts'
import { entry, event, inBrowser, open } from './in-browser.ts'

const papers = [
  ['A4', false],
  ['A4', true],
  ['A3', false],
  ['A3', true],
] as const

/** A calendar with an event that needs a password: no request creates one. */
function calendarFile(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'print-')), 'town.json')
  const events = [{ id: 1, ...event('Protegit', { post_password: 'sesame' }) }]
  writeFileSync(file, JSON.stringify({ calctl: 1, site: { timezone: 'Europe/Madrid', language: 'ca' }, events }))
  return file
}

/** The text of what the page prints, and the size of its sheets in points. */
async function printedOn(page: Page, format: 'A4' | 'A3', landscape: boolean) {
  const path = join(mkdtempSync(join(tmpdir(), 'print-')), 'printed.pdf')
  await page.pdf({ path, format, landscape })
  const text = execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' })
  const information = execFileSync('pdfinfo', [path], { encoding: 'utf8' })
  const [, width, height] = /Page size: +([\d.]+) x ([\d.]+)/.exec(information) ?? []
  return {
    text,
    pages: Number(/^Pages: +(\d+)/m.exec(information)?.[1]),
    isLandscape: Number(width) > Number(height),
    longSide: Math.round(Math.max(Number(width), Number(height)) / 10) * 10,
  }
}

const hasTools = ['pdftotext', 'pdfinfo'].every(tool => {
  try {
    execFileSync('which', [tool])
    return true
  } catch {
    return process.env.CI === 'true'
  }
})

inBrowser('the calendar on paper', () => {
  test.skipIf(!hasTools).each(papers)(
    `on %s (landscape: %s), every public event of the month and of the agenda${skipped(!hasTools, 'poppler-utils are not installed')}`,
    async (format, landscape) => {
      const { page, create, go } = await open('/?lang=ca', `--file ${calendarFile()}`, { colorScheme: 'dark' })
      const names = Array.from({ length: 12 }, (_, index) => `Acte${index + 100}`)
      for (const name of names) await create('events', event(name))
      await create('events', event('Secret', { status: 'private' }))
      await create('events', event('Amagat', { hide_from_listings: true }))
      await go()
      await page.locator('.more').waitFor()
      for (const view of ['Mes', 'Agenda']) {
        await page.getByRole('button', { name: view, exact: true }).click()
        await (view === 'Mes' ? page.locator('.more') : entry(page, 'Acte111')).waitFor()
        const { text, isLandscape, longSide } = await printedOn(page, format, landscape)
        expect(names.filter(name => !text.includes(name))).toEqual([])
        expect(text).not.toMatch(/Secret|Amagat|Protegit|Cerca|Categoria/)
        expect([isLandscape, longSide]).toEqual([landscape, format === 'A4' ? 840 : 1190])
      }
      await page.getByRole('button', { name: 'Mes', exact: true }).click()
      expect(await page.locator('.sheet').textContent()).toBe('')
    },
  )

  test.skipIf(!hasTools)(
    `a month of the demo is on one page, filled, with the town and the day of printing at its foot${skipped(!hasTools, 'poppler-utils are not installed')}`,
    async () => {
      const { page, go } = await open('/?lang=en', '--demo --now 2026-12-09T11:20:00Z')
      await go()
      await page.locator('.town', { hasText: 'Riumajor' }).waitFor()
      await entry(page, 'Farmers').first().waitFor()
      const { text, pages } = await printedOn(page, 'A4', true)
      expect(pages).toBe(1)
      const lines = text.trimEnd().split('\n')
      expect(lines[0]?.trim()).toBe('December 2026 · Riumajor')
      expect(lines.at(-1)).toMatch(/^\s*Events calendar · Riumajor\s+Printed on 9 December 2026$/)
      expect(lines.find(line => line.includes('Monday'))).toMatch(
        /Monday +Tuesday +Wednesday +Thursday +Friday +Saturday +Sunday/,
      )
    },
  )

  test.skipIf(!hasTools)(
    `no arrows and no links back are on paper${skipped(!hasTools, 'poppler-utils are not installed')}`,
    async () => {
      const { page, go } = await open('/?lang=en&view=agenda', '--demo --now 2026-12-09T11:20:00Z')
      await go()
      await entry(page, 'Watercolours').first().waitFor()
      const agenda = await printedOn(page, 'A4', false)
      expect(agenda.text).toMatch(/Watercolours of the neighbourhood \(until Sun 27 Dec\)/)
      expect(agenda.text).not.toContain('→')
      await entry(page, 'Film club').first().click()
      await page.getByText('Page of the event').click()
      await page.getByRole('heading', { name: 'Film club' }).waitFor()
      const { text } = await printedOn(page, 'A4', false)
      expect(text).toMatch(/Events calendar +Riumajor/)
      expect(text).not.toMatch(/←|\.ics/)
      expect(text).toContain('Fritz Lang')
    },
  )
})
