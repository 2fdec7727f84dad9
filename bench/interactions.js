// How long the page takes from a click or a key to the next frame, with 2,000 events in a month.
import { chromium } from 'playwright-core'
import { createHome, median, serve } from './serving.js'

const goal = 100

/** The actions of a reader, each with what is waited for. */
const actions = {
  'next month': page => page.locator('button[value=next]').click(),
  'previous month, a key': page => page.keyboard.press('ArrowLeft'),
  week: page => page.locator('button[value=week]').click(),
  agenda: page => page.locator('button[value=agenda]').click(),
  list: page => page.locator('button[value=list]').click(),
  month: page => page.locator('button[value=month]').click(),
  'open a card': page => page.locator('.ec-event:not(.more)').nth(20).click(),
  'close a card': page => page.keyboard.press('Escape'),
  'choose a filter': page => page.locator('select[name=categories]').selectOption({ index: 1 }),
  'type a letter': async page => {
    await page.locator('input[name=search]').click()
    await page.keyboard.press('7')
  },
}

/** Prints the median and the worst time of each action, in ms. */
export default async function interactions([count = '2000', rounds = '5']) {
  const { env, file, remove } = await createHome(monthOf(Number(count)))
  const server = await serve(['--file', file, '--now', '2026-12-09T11:20:00Z'], env, 'ignore')
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  const times = Object.fromEntries(Object.keys(actions).map(name => [name, []]))
  let [shifts, later] = [0, 0]
  for (let round = 0; round < Number(rounds); round++) {
    const page = await browser.newPage({ locale: 'en-US', viewport: { width: 1280, height: 800 } })
    await page.addInitScript(observe)
    await page.goto(new URL(server.url).origin)
    await settled(page)
    shifts = Math.max(shifts, await page.evaluate('window.shifts'))
    for (const [name, act] of Object.entries(actions)) {
      await page.evaluate('window.longest = 0')
      await act(page)
      await settled(page)
      times[name].push(await page.evaluate('window.longest'))
    }
    later = Math.max(later, await page.evaluate('window.shifts'))
    await page.close()
  }
  for (const [name, all] of Object.entries(times))
    console.log(`${name.padEnd(24)} ${median(all)} ms, at most ${Math.max(...all)}   goal ${goal} ms`)
  console.log(`layout shifts at first   ${shifts.toFixed(3)}   goal 0.05`)
  console.log(`after all of these       ${later.toFixed(3)}   goal 0.05`)
  await browser.close()
  await server.stop()
  await remove()
}

/** Runs in the page: the longest event until the next frame, in steps of 8 ms of which those below 16 count as 0, and what jumps. */
function observe() {
  window.longest = 0
  window.shifts = 0
  new PerformanceObserver(list => {
    for (const one of list.getEntries()) if (one.interactionId) window.longest = Math.max(window.longest, one.duration)
  }).observe({ type: 'event', durationThreshold: 16 })
  new PerformanceObserver(list => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifts += one.value
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Nothing is being read, and two frames are over. */
async function settled(page) {
  await page.waitForTimeout(300)
  await page.waitForFunction(() => document.querySelector('.ec-event') && !document.querySelector('[aria-busy]'))
  await page.waitForTimeout(300)
}

/** Events of December 2026, every twentieth of them three days long. */
function monthOf(count) {
  const day = number => `2026-12-${String(Math.min(31, number)).padStart(2, '0')}`
  const events = Array.from({ length: count }, (_, index) => ({
    id: index + 10,
    title: `Concert number ${index}`,
    start_date: `${day((index % 31) + 1)} ${10 + (index % 12)}:00:00`,
    end_date: `${day((index % 31) + (index % 20 === 0 ? 3 : 1))} 22:00:00`,
    categories: [(index % 5) + 2],
  }))
  const categories = ['Music', 'Fairs', 'Cinema', 'Theatre', 'Books'].map((name, index) => ({ id: index + 2, name }))
  return JSON.stringify({ calctl: 1, site: { timezone: 'Europe/Madrid', language: 'en' }, events, categories })
}
