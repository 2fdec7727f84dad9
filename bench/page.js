// How long a browser takes to show the first view of a calendar on loopback.
import { spawnSync } from 'node:child_process'
import { chromium } from 'playwright-core'
import { calendarOf } from './looking.js'
import { createHome, median, serve } from './serving.js'

const goal = 300

/**
 * Prints the medians in ms from the request for the page to the last event of the month, also as a multiple of `node -e 0` started
 * in the same rounds, and the processor time of the page's thread.
 */
export default async function page([count = '10000', rounds = '11']) {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  for (const events of [10, Number(count)]) {
    const { env, file, remove } = await createHome(calendarOf(events))
    const server = await serve(['--file', file], env, 'ignore')
    const all = []
    for (let round = 0; round < Number(rounds); round++) {
      all.push({ ...(await timesOf(browser, new URL(server.url).origin)), start: startOfNode() })
    }
    const medianOf = name => median(all.map(one => one[name]))
    const [last, shown, processor, start] = ['last', 'shown', 'processor', 'start'].map(medianOf)
    const goalText = events > 10 ? `   goal ${goal} ms` : ''
    console.log(
      `${String(events).padStart(6)} events: ${shown} entries in ${last.toFixed(0)} ms (${(last / start).toFixed(1)} × node -e 0), processor time of the page ${processor.toFixed(0)} ms${goalText}`,
    )
    await server.stop()
    await remove()
  }
  await browser.close()
}

/** How long an empty program takes, in ms. */
function startOfNode() {
  const start = performance.now()
  spawnSync(process.execPath, ['-e', '0'])
  return performance.now() - start
}

/** A new context each time: nothing is in its cache. */
async function timesOf(browser, address) {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1200, height: 900 } })
  const page = await context.newPage()
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const shown = document.querySelectorAll('.ec-event').length
      if (shown === (window.times?.shown ?? 0)) return
      const now = performance.now()
      window.times = { last: now, shown }
    }).observe(document, { subtree: true, childList: true })
  })
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.goto(address)
  await page.waitForFunction(() => window.times && performance.now() - window.times.last > 500)
  const times = await page.evaluate(() => window.times)
  const { metrics } = await session.send('Performance.getMetrics')
  await context.close()
  return { ...times, processor: metrics.find(({ name }) => name === 'TaskDuration').value * 1000 }
}
