import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeFindings, entry, inBrowser, open } from './in-browser.ts'

const now = '--now 2026-12-09T11:20:00Z --token secret'
const site = { timezone: 'Europe/Madrid', language: 'en' }

/** A calendar file with events in December 2026. */
function town(events: readonly object[], more: object = {}): string {
  const file = join(mkdtempSync(join(tmpdir(), 'views-')), 'riumajor.json')
  const rows = events.map((one, index) => ({ id: index + 1, status: 'publish', ...one }))
  writeFileSync(file, JSON.stringify({ calctl: 1, site, events: rows, ...more }))
  return `--file ${file} ${now}`
}

const on = (day: number, title: string, values: object = {}) => ({
  title,
  start_date: `2026-12-${String(day).padStart(2, '0')} 19:00:00`,
  end_date: `2026-12-${String(day).padStart(2, '0')} 21:00:00`,
  ...values,
})
const exhibition = on(3, 'Exhibition', { end_date: '2026-12-27 21:00:00' })
const viewed = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const overflow = (page: Page) => page.evaluate('document.documentElement.scrollWidth - innerWidth')

inBrowser('views that fit', () => {
  test('an event of several days is above the hours, and once in lists with its days', async () => {
    const { page, go, wrong } = await open('/?lang=en', town([exhibition, on(9, 'Concert')]))
    await go()
    await entry(page, 'Concert').waitFor()
    await viewed(page, 'Week')
    await page.locator('.ec-all-day .ec-event', { hasText: 'Exhibition' }).waitFor()
    expect(await page.locator('.ec-body .ec-event').allTextContents()).toEqual(['Concert 19:00'])
    for (const view of ['Agenda', 'List']) {
      await viewed(page, view)
      await page.locator('.ec-list .ec-event', { hasText: 'Exhibition' }).waitFor()
      expect(await entry(page, 'Exhibition').count(), view).toBe(1)
      await entry(page, 'Exhibition').getByText('3–27 Dec', { exact: true }).waitFor()
    }
    expect(wrong).toEqual([])
  })

  test.each(['light', 'with eight events of several days'])(
    'the first screen of a week has its evenings, and each block its hour (%s)',
    async what => {
      const at = (title: string, from: string, to: string) =>
        on(11, title, { start_date: `2026-12-11 ${from}:00`, end_date: `2026-12-11 ${to}:00` })
      const short = [
        at('Gym', '09:30', '10:30'),
        at('Film', '21:00', '23:30'),
        at('Jam', '21:00', '23:45'),
        at('Ball', '21:30', '23:30'),
      ]
      const long = Array.from({ length: what === 'light' ? 1 : 8 }, (_, index) => ({
        ...exhibition,
        title: `E${index}`,
      }))
      const options = { viewport: { width: 1280, height: 800 } }
      const { page, go } = await open('/?lang=en&view=week', town([...short, ...long]), options)
      await go()
      await page.locator('.ec-body .ec-event').first().waitFor()
      const head = page.locator('.ec-time-grid .ec-header')
      for (const [title, hour] of Object.entries({ Gym: '09:30', Film: '21:00', Jam: '21:00', Ball: '21:30' })) {
        const line = entry(page, title).locator('.hour')
        await expect.poll(async () => (await line.boundingBox())?.y ?? 0, { message: title }).toBeLessThan(780)
        const [box, above] = [await line.boundingBox(), await head.boundingBox()]
        expect(box?.y, title).toBeGreaterThanOrEqual((above?.y ?? 800) + (above?.height ?? 0))
        const [x, y] = [(box?.x ?? 0) + 2, (box?.y ?? 0) + 4]
        expect(await page.evaluate(`document.elementFromPoint(${x}, ${y}).textContent`), title).toContain(hour)
      }
    },
  )

  test('in a week, events at the same hours are beside each other, equally wide, with their titles first', async () => {
    const titles = ['Story time for the little ones', 'Market', 'Chess']
    const hours = [
      ['08:00:00', '14:00:00'],
      ['09:00:00', '12:00:00'],
      ['09:00:00', '11:00:00'],
    ]
    const events = titles.map((title, index) => {
      const [from, to] = hours[index] ?? []
      return on(9, title, { start_date: `2026-12-09 ${from}`, end_date: `2026-12-09 ${to}` })
    })
    const { page, go } = await open('/?lang=en&view=week', town(events), { viewport: { width: 1280, height: 800 } })
    await go()
    await entry(page, 'Chess').waitFor()
    const boxes = await Promise.all(titles.map(title => entry(page, title).boundingBox()))
    const [first, second, third] = boxes.map(box => ({ x: box?.x ?? 0, end: (box?.x ?? 0) + (box?.width ?? 0) }))
    expect(first?.end).toBeLessThanOrEqual((second?.x ?? 0) + 0.5)
    expect(second?.end).toBeLessThanOrEqual((third?.x ?? 0) + 0.5)
    expect(new Set(boxes.map(box => Math.round(box?.width ?? 0))).size).toBe(1)
    expect(await entry(page, 'Story').textContent()).toBe('Story time for the little ones 08:00')
    expect((await entry(page, 'Story').locator('.entry').boundingBox())?.height).toBeGreaterThan(40)
  })

  test('at 1280 × 800, the month and today are on the screen; a day says how many more it has, and opens them', async () => {
    const events = Array.from({ length: 30 }, (_, index) => on(30, `Number ${index}`))
    const { page, go } = await open('/?lang=en', town(events), { viewport: { width: 1280, height: 800 } })
    await go()
    await page.locator('.more').waitFor()
    const [today, last] = await Promise.all(
      ['.ec-today', '.ec-day-grid .ec-day:last-child'].map(one => page.locator(one).last().boundingBox()),
    )
    expect([today, last].map(box => (box?.y ?? 800) + (box?.height ?? 0)).filter(bottom => bottom > 800)).toEqual([])
    const { length } = await page.locator('.ec-event:not(.more)').all()
    await page.getByText(`${30 - length} more`).click()
    await expect.poll(() => page.locator('.ec-list .ec-event').count()).toBe(30)
    await page.goBack()
    await page.locator('.more').waitFor()
  })

  test('at 360 px, a week has three days that can be read, and the filters fold into a button with a count', async () => {
    const options = { viewport: { width: 360, height: 740 }, bypassCSP: true }
    const { page, go } = await open('/?lang=en&view=week&status=publish', town([exhibition, on(9, 'Concert')]), options)
    await go()
    await page.locator('.ec-body .ec-event').waitFor()
    expect(await page.locator('.ec-col-head').count()).toBe(3)
    const column = await page.locator('.ec-body .ec-day').first().boundingBox()
    expect(column?.width).toBeGreaterThan(80)
    const fold = page.getByRole('button', { name: 'Filters (1)' })
    expect([await fold.getAttribute('aria-expanded'), await page.getByLabel('Category').isVisible()]).toEqual([
      'false',
      false,
    ])
    const top = (await page.locator('.calendar').boundingBox())?.y ?? 740
    // With 44 px for a finger in each of three rows.
    expect(top).toBeLessThan(190)
    expect(await page.getByLabel('Search').isVisible()).toBe(false)
    await fold.click()
    await page.getByLabel('Search').waitFor()
    await page.getByLabel('Status').selectOption('draft')
    await entry(page, 'Concert').waitFor({ state: 'detached' })
    await page.getByLabel('Status').selectOption('')
    await page.getByRole('button', { name: 'Filters', exact: true }).waitFor()
    for (const view of ['Month', 'Week', 'Agenda', 'List']) {
      await viewed(page, view)
      await entry(page, 'Concert').waitFor()
      expect(await overflow(page), view).toBeLessThanOrEqual(0)
      expect(await axeFindings(page), view).toEqual([])
    }
  })
})

const categories = Array.from({ length: 12 }, (_, index) => index + 3).map(id => ({
  id,
  name: `Kind ${id}`,
  slug: `kind-${id}`,
}))

inBrowser('a page that one likes to look at', () => {
  test('is headed by the names of the site and the town', async () => {
    const venues = [{ id: 501, venue: 'Theatre', city: 'Vilanova' }]
    const { page, go } = await open('/?lang=en', town([on(9, 'Concert', { venue: 501 })], { venues }))
    await go()
    await page.getByRole('heading', { name: 'riumajor' }).waitFor()
    await page.locator('.town', { hasText: 'Vilanova' }).waitFor()
    expect(await page.title()).toBe('December 2026 · Vilanova')
    const nameless = await open('/?lang=es', '--memory')
    await nameless.go()
    await nameless.page.getByRole('heading', { name: 'Calendario de actos' }).waitFor()
    expect(await nameless.page.title()).not.toContain('127.0.0.1')
  })

  test('the mark of a category stays the same whatever is filtered, and is more than a colour', async () => {
    const events = categories.map(({ id }) => on(9, `Event ${id}`, { categories: [id] }))
    const { page, go } = await open('/?lang=en', town(events, { categories }))
    await go()
    const marks = async () => {
      await entry(page, 'Event 14').waitFor()
      const legend = await page.locator('.legend li').all()
      return Object.fromEntries(
        await Promise.all(legend.map(async one => [await one.textContent(), (await one.getAttribute('style')) ?? ''])),
      ) as Record<string, string>
    }
    await viewed(page, 'Agenda')
    const all = await marks()
    for (const part of [/--color: (.*?);/, /--shape: (.*)/])
      expect(new Set(Object.values(all).map(mark => part.exec(mark)?.[1])).size).toBe(categories.length)
    await page.getByLabel('Category').selectOption({ label: 'Kind 14' })
    await entry(page, 'Event 3').waitFor({ state: 'detached' })
    expect(await marks()).toEqual({ 'Kind 14': all['Kind 14'] })
  })

  test('a category has the same mark in every language', async () => {
    const { page, go } = await open('/?lang=ca&view=list', '--demo --now 2026-12-09T11:20:00Z')
    await go()
    const marks = async (...names: string[]) =>
      Promise.all(names.map(name => page.locator('.legend li').getByText(name, { exact: true }).getAttribute('style')))
    const catalan = await marks('Exposicions', 'Jazz', 'Activitats familiars', 'Tallers i xerrades')
    expect(new Set(catalan).size).toBe(4)
    await page.getByRole('button', { name: 'en', exact: true }).click()
    expect(await marks('Exhibitions', 'Jazz', 'For families', 'Workshops and talks')).toEqual(catalan)
    await page.getByRole('button', { name: 'es', exact: true }).click()
    expect(await marks('Exposiciones', 'Jazz', 'En familia', 'Talleres y charlas')).toEqual(catalan)
  })

  test('an event of two categories has the same mark in every language, and that of the one it is sought by', async () => {
    const { page, go } = await open('/?lang=ca&view=list', '--demo --now 2026-12-09T11:20:00Z')
    await go()
    const markOf = async (title: string) =>
      /--color.*?; --shape: .../.exec((await entry(page, title).first().getAttribute('style')) ?? '')?.[0]
    const catalan = await markOf('Hora del conte')
    expect(catalan).toBeDefined()
    for (const [language, title] of [
      ['es', 'La hora del cuento'],
      ['en', 'Story time'],
    ] as const) {
      await page.getByRole('button', { name: language, exact: true }).click()
      expect(await markOf(title), language).toBe(catalan)
    }
    for (const label of ['Books and words', 'For families']) {
      await page.getByLabel('Category').selectOption({ label })
      await expect.poll(() => page.locator('.legend li').allTextContents()).toEqual([label])
      expect(await page.locator('.legend li').getAttribute('style')).toContain(await markOf('Story time'))
    }
    await page.getByRole('button', { name: 'es', exact: true }).click()
    await expect.poll(() => page.locator('.legend li').allTextContents()).toEqual(['En familia'])
    expect(await page.getByLabel('Categoría').locator('option:checked').textContent()).toBe('En familia')
    expect(await page.locator('.corrected').textContent()).toBe('')
  })

  test.each([
    ['beside the event', { width: 1280, height: 800 }],
    ['as a sheet from below', { width: 360, height: 740 }],
  ] as const)('a card opens %s, with Close in reach however long it is', async (_, viewport) => {
    const description = 'A line of the text.\n'.repeat(200)
    const { page, go } = await open('/?lang=en', town([on(9, 'Concert', { description })]), {
      viewport,
      bypassCSP: true,
    })
    await go()
    await entry(page, 'Concert').click()
    const card = page.getByRole('dialog', { name: 'Concert' })
    const close = card.getByRole('button', { name: 'Close' })
    const [box, from] = [await card.boundingBox(), await entry(page, 'Concert').boundingBox()]
    if (viewport.width === 360) expect([box?.x, (box?.y ?? 0) + (box?.height ?? 0)]).toEqual([0, 740])
    else expect(Math.abs((box?.x ?? 0) - ((from?.x ?? 0) + (from?.width ?? 0)))).toBeLessThan(12)
    await card.evaluate(one => one.scrollTo(0, 1e6))
    await close.click({ trial: true })
    expect(await axeFindings(page)).toEqual([])
    await close.click()
    await card.waitFor({ state: 'hidden' })
  })
})

inBrowser('where there is little room', () => {
  test.each(['the first week', 'the last week'])(
    'a card leaves the event of a whole week to be seen, in %s',
    async week => {
      const [first, last] = week === 'the first week' ? ['2026-11-30', '2026-12-06'] : ['2026-12-28', '2027-01-03']
      const times = { start_date: `${first} 10:00:00`, end_date: `${last} 21:00:00` }
      const description = 'A line of the text.\n'.repeat(200)
      const { page, go } = await open('/?lang=en', town([{ title: 'Exhibition', ...times, description }]))
      await go()
      await entry(page, 'Exhibition').click()
      const [card, row] = await Promise.all(
        [page.getByRole('dialog'), entry(page, 'Exhibition')].map(one => one.boundingBox()),
      )
      if (!card || !row) throw new Error('nothing is drawn')
      expect(card.y >= row.y + row.height || card.y + card.height <= row.y).toBe(true)
      expect(card.y).toBeGreaterThanOrEqual(0)
      expect(card.y + card.height).toBeLessThanOrEqual(900)
      expect(card.height).toBeGreaterThan(300)
    },
  )

  test('an agenda says that the day it was opened with has nothing, in a row that is no button', async () => {
    const options = { viewport: { width: 360, height: 740 }, bypassCSP: true }
    const { page, go } = await open('/?lang=en&view=agenda&date=2026-12-02', town([on(4, 'Concert')]), options)
    await go()
    await page.locator('.ec-day', { hasText: '2 December' }).getByText('No events').waitFor()
    expect(await page.getByRole('button', { name: 'No events' }).count()).toBe(0)
    expect(await axeFindings(page)).toEqual([])
  })

  test('at 360 px, whatever is pressed is at least 44 px high', async () => {
    const { page, go } = await open('/?lang=en', town([on(9, 'Concert')]), { viewport: { width: 360, height: 740 } })
    await go()
    await entry(page, 'Concert').waitFor()
    await page.getByRole('button', { name: 'Filters' }).click()
    const pressed = page.locator('main :is(button, select, input, summary, a, .ec-event):visible')
    const low = await pressed.evaluateAll(all =>
      all.filter(one => one.getBoundingClientRect().height < 44).map(one => one.outerHTML.slice(0, 80)),
    )
    expect(low).toEqual([])
  })

  test.each([
    ['Month', 'December 2026'],
    ['Week', '7–13 December 2026'],
  ])('what goes on before and after a %s has a mark on both sides', async (view, title) => {
    const long = { title: 'Exhibition', start_date: '2026-11-03 10:00:00', end_date: '2027-02-27 21:00:00' }
    const { page, go } = await open('/?lang=en', town([long]))
    await go()
    await viewed(page, view)
    await page.getByRole('heading', { name: title, exact: true }).waitFor()
    await entry(page, 'Exhibition').first().waitFor()
    const marks = `['before', 'after'].map(side => [...document.querySelectorAll('.ec-event :is(.entry, .hours)')].map(one => getComputedStyle(one, '::' + side).content).join())`
    await expect
      .poll(() => page.evaluate<string[]>(marks))
      .toEqual([expect.stringContaining('◂'), expect.stringContaining('▸')])
  })

  test.each([1280, 360])('the days of an event are on one line of a list, without arrows, at %i px', async width => {
    const times = { start_date: '2026-11-26 10:00:00', end_date: '2026-12-20 21:00:00' }
    const long = { title: 'Retrospective', start_date: '2026-12-15 10:00:00', end_date: '2027-02-14 21:00:00' }
    const calendar = town([exhibition, { title: 'Photographs', ...times }, long])
    const { page, go } = await open('/?lang=ca&view=list', calendar, { viewport: { width, height: 800 } })
    await go()
    await page
      .getByRole('button', { name: 'en', exact: true })
      .or(page.getByRole('button', { name: 'Filtres' }))
      .first()
      .click()
    if (width === 360) await page.getByRole('button', { name: 'en', exact: true }).click()
    await entry(page, 'Retrospective').waitFor()
    for (const [title, days] of [
      ['Exhibition', '3–27 Dec'],
      ['Photographs', '26 Nov – 20 Dec'],
      ['Retrospective', '15 Dec – 14 Feb 2027'],
    ] as const) {
      const hours = entry(page, title).locator('.hours')
      expect(await hours.textContent()).toBe(days)
      expect((await hours.boundingBox())?.height, days).toBeLessThan(24)
      expect(await hours.evaluate(one => one.scrollWidth - one.clientWidth), days).toBeLessThanOrEqual(0)
    }
    const marks = `[...document.querySelectorAll('.hours')].flatMap(one => ['before', 'after'].map(side => getComputedStyle(one, '::' + side).content))`
    expect(new Set(await page.evaluate<string[]>(marks))).toEqual(new Set(['none']))
  })

  test('days are written in one way: with the words of the language of the page', async () => {
    const { page, go } = await open('/?lang=en&view=week', town([on(9, 'Concert')]))
    await go()
    await entry(page, 'Concert').waitFor()
    expect((await page.locator('.ec-col-head').allTextContents()).slice(0, 2)).toEqual(['Mon 7 Dec', 'Tue 8 Dec'])
    await viewed(page, 'List')
    await page.locator('.ec-day-side', { hasText: '9 December' }).waitFor()
    await page.getByRole('button', { name: 'ca', exact: true }).click()
    await expect.poll(() => page.title()).toMatch(/^Desembre de 2026 · /)
    await viewed(page, 'Mes')
    expect((await page.locator('.ec-col-head').allTextContents())[0]).toBe('dl.')
  })

  test('at 360 px, a month has the mark of each event, and a tap shows the day', async () => {
    const events = [exhibition, ...Array.from({ length: 9 }, (_, index) => on(15, `Number ${index}`))]
    const options = { viewport: { width: 360, height: 740 }, bypassCSP: true, hasTouch: true }
    const { page, go, wrong } = await open('/?lang=en&view=month', town(events), options)
    await go()
    await entry(page, 'Exhibition').first().waitFor()
    const sizes = `[...document.querySelectorAll('.ec-event:not(.more) .entry')].map(one => getComputedStyle(one).fontSize)`
    expect(new Set(await page.evaluate<string[]>(sizes))).toEqual(new Set(['0px']))
    const heights = await page
      .locator('.ec-day-grid .ec-event')
      .evaluateAll(all => all.map(one => one.getBoundingClientRect().height))
    expect(Math.max(...heights)).toBeLessThan(20)
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await page.locator('.ec-day:has(time[datetime="2026-12-15"])').tap()
    await expect.poll(() => page.locator('.ec-list .ec-event').count()).toBe(10)
    expect(new URL(page.url()).searchParams.get('date')).toBe('2026-12-15')
    await page.goBack()
    await page.locator('.ec-day-grid .more').first().waitFor()
    expect(wrong).toEqual([])
  })
})

inBrowser('nothing to show', () => {
  test('says what can be done: for the public the next events, for an editor the line that adds one', async () => {
    const february = { title: 'Carnival', start_date: '2027-02-06 19:00:00', end_date: '2027-02-06 21:00:00' }
    const { page, go } = await open('/?lang=en', `${town([february])} --user boss:secret`, { bypassCSP: true })
    await go()
    await page.getByRole('status').getByText('No events · December 2026').waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(await page.getByText('calctl events create').count()).toBe(0)
    await page.getByRole('button', { name: 'Next events: February 2027' }).click()
    await entry(page, 'Carnival').waitFor()
    await page.getByLabel('Search').fill('nothing')
    await page.getByRole('button', { name: 'Clear the search and the filters' }).click()
    await entry(page, 'Carnival').waitFor()
    expect(await page.locator('.notice').textContent()).toBe('')
    const editor = await open('/?lang=en', `--memory ${now}`)
    await editor.go()
    await editor.page.locator('.notice.empty').waitFor()
    expect(await editor.page.getByText('calctl events create').count()).toBe(0)
    await editor.page.getByText('For editors').click()
    await editor.page.getByRole('button', { name: 'Show drafts and private events' }).click()
    await editor.page.getByText('calctl events create --title "…" --start-date "2026-12-09 19:00"').waitFor()
  })

  test('names the search and the filters, and offers the months around', async () => {
    const times = (day: string) => ({ start_date: `${day} 19:00:00`, end_date: `${day} 21:00:00` })
    const category = { id: 3, name: 'Jazz', slug: 'jazz' }
    const events = ['2026-09-05', '2026-10-05', '2027-02-06'].map(day => ({
      title: 'Concert',
      ...times(day),
      categories: [3],
    }))
    const { page, go } = await open('/?lang=en&search=conc&categories=3', town(events, { categories: [category] }))
    await go()
    const notice = page.locator('.notice.empty')
    await notice.getByText('Search: conc · Category: Jazz').waitFor()
    await notice.getByRole('button', { name: 'Next events: February 2027' }).waitFor()
    expect(await notice.getByText('calctl').count()).toBe(0)
    await notice.getByRole('button', { name: 'Earlier events: October 2026' }).click()
    await entry(page, 'Concert').waitFor()
  })

  test('says what is wrong, since when, and when it is tried again', async () => {
    const { page, go, url } = await open('/?lang=en', town([on(9, 'Concert')]), { bypassCSP: true })
    const headers = { 'x-calctl-token': 'secret', 'content-type': 'application/json', connection: 'close' }
    const fail = JSON.stringify({ route: 'GET /events', status: 503 })
    await fetch(`${url}/__calctl/fail`, { method: 'POST', headers, body: fail })
    await go()
    const notice = page.locator('.notice.wrong')
    for (const view of ['Month', 'Week', 'Agenda', 'List']) {
      await viewed(page, view)
      await notice.getByText('The calendar cannot be shown right now (error 503) since 12:20').waitFor()
      await notice.getByText(/Trying again in \d s/).waitFor()
      // Where the events would be.
      expect((await notice.boundingBox())?.y, view).toBeLessThan(400)
    }
    expect(await axeFindings(page)).toEqual([])
    await viewed(page, 'Month')
    await fetch(`${url}/__calctl/heal`, { method: 'POST', headers, body: '{}' })
    await entry(page, 'Concert').waitFor()
    await notice.waitFor({ state: 'detached' })
  })

  test('the frame is there at once, and nothing jumps', async () => {
    const { page, go } = await open('/?lang=en', town([exhibition, on(9, 'Concert')]))
    let answer = () => {}
    const answered = new Promise<void>(resolve => {
      answer = resolve
    })
    await page.route('**/events?*', async route => {
      await answered
      await route.continue()
    })
    await page.addInitScript(`
      window.shifts = 0
      new PerformanceObserver(list => {
        for (const one of list.getEntries()) window.shifts += one.value
      }).observe({ type: 'layout-shift', buffered: true })`)
    await go()
    await page.locator('.ec-today').waitFor()
    expect(await page.title()).toBe('December 2026 · riumajor')
    expect(await page.locator('.ec-event').count()).toBe(0)
    await viewed(page, 'List')
    await page.getByText('Loading…').waitFor()
    for (const view of ['Week', 'Month']) {
      await viewed(page, view)
      await page.locator(view === 'Week' ? '.ec-time-grid' : '.ec-day-grid').waitFor()
      const word = `getComputedStyle(document.querySelector('.calendar'), '::before').content`
      expect(await page.evaluate(word), view).toBe('"Loading…"')
    }
    answer()
    await entry(page, 'Concert').waitFor()
    await page.locator('.legend').waitFor({ state: 'attached' })
    expect(await page.evaluate('window.shifts')).toBeLessThan(0.05)
  })
})

inBrowser('what a designer would send back', () => {
  test('a month with text of 200 % at 360 px counts the events of each day, and a tap opens it', async () => {
    const events = [exhibition, on(15, 'Concert'), on(15, 'Ball'), on(2, 'Alone')]
    const options = { viewport: { width: 360, height: 740 }, hasTouch: true }
    const { page, go, context } = await open('/?lang=en&view=month', town(events), options)
    const session = await context.newCDPSession(page)
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
    await go()
    const day = page.locator('.ec-day:has(time[datetime="2026-12-15"])')
    await page.locator('.more').first().waitFor()
    const counts = `[...document.querySelectorAll('.more span')].map(one => getComputedStyle(one, '::before').content)`
    const said = await page.evaluate<string[]>(counts)
    expect([said.length, said.filter(one => one === '"3"')]).toEqual([25, ['"3"']])
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    const [row, number] = [await day.boundingBox(), await day.locator('time').boundingBox()]
    expect(number?.width).toBeLessThanOrEqual(row?.width ?? 0)
    await day.tap()
    await expect.poll(() => page.locator('.ec-list .ec-event').count()).toBe(3)
  })

  test('in a month, what lasts several days is above the hours of its days, and what goes on reaches the edge', async () => {
    const morning = { start_date: '2026-12-03 08:00:00', end_date: '2026-12-03 09:00:00' }
    const { page, go } = await open('/?lang=en&view=month', town([{ title: 'Gym', ...morning }, exhibition]))
    await go()
    await entry(page, 'Exhibition').nth(1).waitFor()
    const [bar, gym] = [await entry(page, 'Exhibition').first().boundingBox(), await entry(page, 'Gym').boundingBox()]
    expect(bar?.y).toBeLessThan(gym?.y ?? 0)
    const week = await page.locator('.ec-main').boundingBox()
    const end = (bar?.x ?? 0) + (bar?.width ?? 0)
    expect(Math.abs(end - (week?.x ?? 0) - (week?.width ?? 0))).toBeLessThan(3)
  })

  test.each(['08:00', '21:00'])(
    'the hours of a week with an event at %s stay as high, and it is on the screen',
    async time => {
      const times = { start_date: `2026-12-09 ${time}:00`, end_date: `2026-12-09 23:30:00` }
      const options = { viewport: { width: 360, height: 740 } }
      const { page, go } = await open('/?lang=en&view=week', town([{ title: 'Concert', ...times }]), options)
      let answer = () => {}
      const answered = new Promise<void>(resolve => {
        answer = resolve
      })
      await page.route('**/events?*', async route => {
        await answered
        await route.continue()
      })
      await go()
      const column = page.locator('.ec-body .ec-day').first()
      const before = (await column.boundingBox())?.height
      answer()
      const box = await entry(page, 'Concert').boundingBox()
      expect((box?.y ?? 740) + (box?.height ?? 0)).toBeLessThan(740)
      expect((await column.boundingBox())?.height).toBe(before)
    },
  )

  test('in an agenda, the card is beside the event, with a picture as wide as it; the place is below the title', async () => {
    const image = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"/>`
    const venues = [{ id: 501, venue: 'Theatre', city: 'Vilanova' }]
    const events = [on(9, 'Concert', { venue: 501, cost: '5 €' })]
    const { page, go, origin } = await open('/?lang=en&view=agenda', town(events, { venues }), {
      viewport: { width: 1280, height: 800 },
    })
    await page.route('**/poster.svg', route => route.fulfill({ contentType: 'image/svg+xml', body: image }))
    await page.route('**/events?*', async route => {
      const response = await route.fetch()
      const json = await response.json()
      for (const one of json.events) one.image = { url: `${origin}/poster.svg` }
      await route.fulfill({ response, json })
    })
    await go()
    const row = entry(page, 'Concert')
    const [name, details] = [await row.locator('.name').boundingBox(), await row.locator('.details').boundingBox()]
    expect(details?.x).toBe(name?.x)
    expect(details?.y).toBeGreaterThan(name?.y ?? 0)
    // No line ends with the dot before the price.
    expect(await row.locator('.details').textContent()).toContain('Vilanova ·\u00a05')
    await row.click()
    const [card, from] = [await page.getByRole('dialog').boundingBox(), await row.boundingBox()]
    const distance = (card?.x ?? 0) - ((from?.x ?? 0) + (from?.width ?? 0))
    expect([distance >= 0 && distance < 12, Math.abs((card?.y ?? 0) - (from?.y ?? 0)) < 2]).toEqual([true, true])
    const picture = await page.locator('.card img').boundingBox()
    expect(picture?.width).toBeGreaterThan(350)
    expect((picture?.width ?? 0) / (picture?.height ?? 1)).toBeCloseTo(16 / 9, 1)
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.card img')).objectFit`)).toBe('cover')
  })

  test('a card has the marks of the categories, its hours on one line, and in the dark a ground of its own', async () => {
    const title = 'The long night of the short films'
    const events = [on(9, title, { categories: [3, 14] })]
    const { page, go } = await open('/?lang=en&view=agenda', town(events, { categories }), {
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
      bypassCSP: true,
    })
    await go()
    const look = async (place: string, name: string) =>
      page.locator(`${place} li`).getByText(name, { exact: true }).getAttribute('style')
    await entry(page, title).click()
    const card = page.getByRole('dialog')
    expect(await card.locator('.legend li').allTextContents()).toEqual(['Kind 14', 'Kind 3'])
    expect(await look('.card', 'Kind 14')).toBe(await look('.calendar > .legend', 'Kind 14'))
    const hours = card.locator('.hours')
    expect([await hours.textContent(), (await hours.boundingBox())?.height ?? 99]).toEqual([
      '19:00–21:00',
      expect.any(Number),
    ])
    expect((await hours.boundingBox())?.height).toBeLessThan(30)
    const grounds = `['.card', 'html'].map(one => getComputedStyle(document.querySelector(one)).backgroundColor)`
    const [ground, paper] = await page.evaluate<string[]>(grounds)
    expect(ground).not.toBe(paper)
    expect(await axeFindings(page)).toEqual([])
  })

  test('what editors and developers need is one small line at the foot', async () => {
    const { page, go } = await open('/?lang=ca', '--memory', { bypassCSP: true })
    await go()
    const [editors, developers] = [page.getByText('Per a editors'), page.getByText('Per a desenvolupadors')]
    await developers.waitFor()
    expect((await editors.boundingBox())?.y).toBe((await developers.boundingBox())?.y)
    const sizes = `[...document.querySelectorAll('main > details > summary')].map(one => getComputedStyle(one).fontSize)`
    expect(await page.evaluate(sizes)).toEqual(['12px', '12px'])
    await developers.click()
    await page.getByText('El document OpenAPI').waitFor()
    expect((await page.locator('.developer').boundingBox())?.width).toBeGreaterThan(1000)
    expect(await axeFindings(page)).toEqual([])
  })

  test('a day of which a month shows a part opens at its beginning', async () => {
    const rows = [...Array.from({ length: 30 }, (_, index) => on(30, `Number ${index}`)), on(31, 'Last')]
    const { page, go } = await open('/?lang=en', town(rows), { viewport: { width: 1280, height: 500 } })
    await go()
    await page.locator('.more').first().click()
    await expect.poll(() => page.locator('.ec-list .ec-event').count()).toBe(31)
    const first = await page.locator('.ec-list .ec-event').first().boundingBox()
    expect(first?.y).toBeGreaterThanOrEqual(40)
    expect(first?.y).toBeLessThan(250)
  })

  test.each([
    [1280, 800],
    [1280, 640],
    [900, 700],
    [360, 740],
  ])('the weeks of a month do not grow when its events are there (%i × %i)', async (width, height) => {
    const times = { start_date: '2026-12-05 10:00:00', end_date: '2026-12-22 21:00:00' }
    const many = Array.from({ length: 12 }, (_, index) => on(9, `Number ${index}`))
    const calendar = town([exhibition, { title: 'Photographs', ...times }, ...many, on(19, 'Market'), on(19, 'Chess')])
    const { page, go } = await open('/?lang=en&view=month', calendar, { viewport: { width, height } })
    let answer = () => {}
    const answered = new Promise<void>(resolve => {
      answer = resolve
    })
    await page.route('**/events?*', async route => {
      await answered
      await route.continue()
    })
    await go()
    const grid = page.locator('.ec-day-grid .ec-body')
    await grid.waitFor()
    const before = (await grid.boundingBox())?.height
    answer()
    await page.locator('.more').first().waitFor()
    expect((await grid.boundingBox())?.height).toBeCloseTo(before ?? 0, 0)
  })

  test('what is asked for is marked and counted, and one press clears it', async () => {
    const { page, go } = await open(
      '/?lang=en',
      town([on(9, 'Concert', { categories: [3] }), on(9, 'Ball')], { categories }),
    )
    await go()
    await entry(page, 'Ball').waitFor()
    const clear = page.getByRole('button', { name: 'Clear' })
    const border = (name: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('[name=${name}]')).borderTopColor`)
    const usual = await border('categories')
    expect(await clear.count()).toBe(0)
    await page.getByLabel('Category').selectOption({ label: 'Kind 3' })
    await entry(page, 'Ball').waitFor({ state: 'detached' })
    await page.getByLabel('Search').fill('conc')
    await page.getByRole('button', { name: 'Clear (2)' }).waitFor()
    for (const name of ['categories', 'search']) expect(await border(name), name).not.toBe(usual)
    expect(await border('tags')).toBe(usual)
    await clear.click()
    await entry(page, 'Ball').waitFor()
    expect(await clear.count()).toBe(0)
    expect(await border('categories')).toBe(usual)
  })
})
