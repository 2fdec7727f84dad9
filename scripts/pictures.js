// Takes the pictures of docs/page.md from the built program: the demo at a fixed clock, so that they show what the page is like.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright-core'

const docs = resolve(import.meta.dirname, '../docs')
const calctl = resolve(import.meta.dirname, '../bin/calctl.js')
const folder = mkdtempSync(join(tmpdir(), 'pictures-'))
const executablePath = spawnSync('which', ['chromium'], { encoding: 'utf8' }).stdout.trim()

/** Starts calctl, and gives the first address of a page that it prints. */
async function start(...line) {
  const child = spawn(process.execPath, [calctl, ...line], { cwd: folder, env: { ...process.env, PATH: '' } })
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on('line', text => child.emit('text', text))
  const address = await new Promise((found, failed) => {
    child.on('text', text => /https?:\/\/127\S+/.test(text) && found(/https?:\/\/127\S+/.exec(text)[0]))
    child.on('exit', status => failed(new Error(`calctl ${line.join(' ')} ended with ${status}`)))
  })
  return { address, stop: () => child.kill() }
}

const server = await start('serve', '--demo', '--port', '0', '--now', '2026-12-09T11:20:00Z', '--token', 'demo')
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })

/** A picture of a page, after some steps on it. */
async function take(name, address, { width = 1280, height = 800, steps = async () => {} } = {}) {
  const page = await browser.newPage({ viewport: { width, height }, reducedMotion: 'reduce' })
  await page.goto(address)
  await page.locator('.ec-event').first().waitFor()
  await page.locator('.town', { hasText: 'Riumajor' }).waitFor()
  await steps(page)
  await page.waitForLoadState('networkidle').catch(() => {})
  await page.screenshot({ path: join(docs, `${name}.png`) })
  await page.close()
}

try {
  const home = `${server.address}/?lang=en`
  await take('page', home)
  await take('page-phone', home, { width: 360, height: 740 })
  await take('page-developers', `${home}#token=demo`, {
    height: 900,
    async steps(page) {
      await page.getByText('For developers').click()
      await page.getByText('All requests succeed.').waitFor()
      await page.locator('.developer').scrollIntoViewIfNeeded()
    },
  })
  const jam = await (
    await fetch(`${server.address}/calendar/events/v1/events?search=jam&per_page=1&lang_code=en`)
  ).json()
  const [{ id }] = jam.events
  const rows = [{ resource: 'events', id, start_date: '2026-12-17 22:00', end_date: '2026-12-18 00:30' }]
  writeFileSync(join(folder, 'rows.json'), JSON.stringify(rows))
  const at = ['--base-url', server.address, '--lang', 'en']
  spawnSync(process.execPath, [calctl, 'diff', 'rows.json', '--save', 'plan.json', ...at], { cwd: folder })
  const preview = await start('preview', 'plan.json', ...at)
  await take('page-plan', preview.address)
  preview.stop()
} finally {
  await browser.close()
  server.stop()
}
