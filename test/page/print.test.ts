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

/** A calendar in a file; no request creates an event that needs a password. */
function calendarFile(rows: readonly object[] = [event('Protegit', { post_password: 'sesame' })]): string {
  const file = join(mkdtempSync(join(tmpdir(), 'print-')), 'town.json')
  const events = rows.map((row, index) => ({ id: index + 1, status: 'publish', ...row }))
  writeFileSync(file, JSON.stringify({ calctl: 1, site: { timezone: 'Europe/Madrid', language: 'ca' }, events }))
  return file
}

async function pdfOf(page: Page, format: 'A4' | 'A3', landscape: boolean): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'print-')), 'printed.pdf')
  await page.pdf({ path, format, landscape })
  return path
}

/** The text of what the page prints, and the size of its sheets in points. */
async function printedOn(page: Page, format: 'A4' | 'A3', landscape: boolean) {
  const path = await pdfOf(page, format, landscape)
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

  test('in a month, what lasts several days is a pale bar of one line with a rule, and texts have at least 8 points', async () => {
    const { page, go } = await open('/?lang=en', '--demo --now 2026-12-09T11:20:00Z')
    await go()
    await entry(page, 'Farmers').first().waitFor()
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
    await page.emulateMedia({ media: 'print' })
    // An A4 page between its margins.
    await page.setViewportSize({ width: 1032, height: 703 })
    const [bar, text] = await page.evaluate<{ height: number; font: number; look: string; rule: number }[]>(`
      ['.bar', '.events li'].map(name => {
        const one = document.querySelector('.sheet ' + name)
        const { fontSize, borderLeftWidth, color } = getComputedStyle(one)
        const [font, rule] = [fontSize, borderLeftWidth].map(Number.parseFloat)
        return { height: one.getBoundingClientRect().height, font, rule, look: color }
      })`)
    expect(bar?.look).toBe('rgb(17, 17, 17)')
    expect(bar?.rule).toBeGreaterThanOrEqual(2)
    expect(bar?.height).toBeLessThan(1.5 * (bar?.font ?? 0))
    expect(text?.font).toBeGreaterThanOrEqual((8 * 96) / 72)
    const [red = 0, green = 0, blue = 0] = await page.evaluate<number[]>(`(() => {
      const canvas = document.createElement('canvas').getContext('2d')
      canvas.fillStyle = getComputedStyle(document.querySelector('.sheet .bar')).backgroundColor
      canvas.fillRect(0, 0, 1, 1)
      return [...canvas.getImageData(0, 0, 1, 1).data]
    })()`)
    expect(Math.min(red, green, blue)).toBeGreaterThan(200)
  })

  test.skipIf(!hasTools)(
    `days of a list are not divided between pages, unless they are longer than one${skipped(!hasTools, 'poppler-utils are not installed')}`,
    async () => {
      const counts = Array.from({ length: 8 }, (_, index) => (index === 7 ? 70 : 6))
      const rows = counts.flatMap((count, index) => {
        const day = `2026-12-0${index + 1}`
        const times = { start_date: `${day} 19:00:00`, end_date: `${day} 21:00:00` }
        return Array.from({ length: count }, (_, number) => event(`Act${index}x${number}.`, times))
      })
      const { page, go } = await open('/?lang=ca&view=list', `--file ${calendarFile(rows)} --now 2026-12-09T11:20:00Z`)
      await go()
      await entry(page, 'Act7x69.').waitFor()
      const path = await pdfOf(page, 'A4', false)
      const text = execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' })
      const pages = text.split('\f').filter(one => one.trim() !== '')
      const pagesOf = counts.map((_, index) => pages.filter(one => one.includes(`Act${index}x`)).length)
      expect(pagesOf.slice(0, -1)).toEqual([1, 1, 1, 1, 1, 1, 1])
      expect(pagesOf.at(-1)).toBeGreaterThan(1)
      expect(text).toContain('Act7x69.')
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
