// Pictures of the calendar before and after a plan, taken from the page of `calctl preview` in a browser without a window.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

/** How long a busy runner may take for a step, in ms. */
const patience = 180_000

const programs = ['chromium', 'google-chrome', 'chromium-browser', 'chrome']

/** Takes them into a folder; returns why there are none, if so. `options` say which calendar is meant. */
export async function takePictures(plan, folder, options) {
  const executablePath = programs
    .map(name => spawnSync('which', [name], { encoding: 'utf8' }).stdout?.trim())
    .find(Boolean)
  if (!executablePath) return 'there is no Chromium on the runner'
  // Takes a second to load, so only where there is something for it to do.
  const { chromium } = await import('playwright-core')
  let preview
  let browser
  try {
    preview = await startPreview(plan, options)
    // The page shows what a site says: the browser gets none of the settings of the job, with their passwords.
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, TZ: process.env.TZ ?? '' }
    const chromiumSandbox = process.getuid?.() !== 0
    browser = await chromium.launch({ executablePath, env, chromiumSandbox, timeout: patience })
    mkdirSync(folder, { recursive: true })
    const page = await browser.newPage({ viewport: { width: 1280, height: 1000 }, reducedMotion: 'reduce' })
    page.setDefaultTimeout(patience)
    await page.goto(preview.address)
    await shown(page)
    await page.screenshot({ path: join(folder, 'after.png') })
    await withoutPlan(page)
    await page.screenshot({ path: join(folder, 'before.png') })
    return undefined
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    return `they could not be taken (${error.message.split('\n')[0]})`
  } finally {
    await browser?.close()
    preview?.stop()
  }
}

async function shown(page) {
  await page.locator('.ec-day').first().waitFor()
  await page.waitForLoadState('networkidle', { timeout: 20_000 }).catch(() => {})
}

/** Shows the same days as if the plan had no changes. */
async function withoutPlan(page) {
  await page.route('**/plan', async route => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), changes: [], notes: [] } })
  })
  await page.reload()
  await shown(page)
}

/** Starts `calctl preview`, which finds no browser without PATH, and prints the address instead. */
async function startPreview(plan, options) {
  const program = resolve(import.meta.dirname, '../bin/calctl.js')
  const child = spawn(process.execPath, [program, 'preview', plan, ...options], {
    env: { ...process.env, PATH: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = []
  const address = await new Promise((found, failed) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface(stream).on('line', text => {
        printed.push(text)
        const [url] = /https?:\/\/127\S+/.exec(text) ?? []
        if (url) found(url)
      })
    child.on('error', failed)
    child.on('close', () => failed(new Error(printed.at(-1) ?? 'calctl preview ended')))
  })
  return { address, stop: () => child.kill() }
}
