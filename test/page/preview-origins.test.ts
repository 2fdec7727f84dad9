import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { hostileRequests } from './hostile-requests.ts'
import { entry, inBrowser, newPage } from './in-browser.ts'
import { previewOf } from './preview-of.ts'

const count = process.env.SOAK_ROUNDS === undefined ? 40 : 2000

/** A site of somebody else on this machine; its origin by name and by number, and the cookies that it got. */
async function foreignSite() {
  const cookies: string[] = []
  const server = createServer(({ headers }, response) => {
    if (headers.cookie !== undefined) cookies.push(headers.cookie)
    response
      .writeHead(200, { 'content-type': 'text/html', connection: 'close' })
      .end('<!doctype html><title>foreign</title>')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { cookies, origins: [`http://localhost:${port}`, `http://127.0.0.1:${port}`] }
}

/** The preview in Chromium, as the user sees it; `home` is the address of its page. */
async function previewInBrowser() {
  const preview = await previewOf()
  const { page, context } = await newPage()
  await page.goto(pathToFileURL(preview.opened).href)
  // Chromium itself is slow to start on a busy machine.
  await entry(page, 'Teatre').waitFor({ timeout: 100_000 })
  const { origin, pathname } = new URL(page.url())
  return { ...preview, page, context, home: (origin + pathname).replace(/\/$/, '') }
}

/** Tries in a page to read and write at addresses in every way that HTML has; returns what could be read. */
const attack = (page: Page, addresses: readonly string[]): Promise<string[]> =>
  page.evaluate(
    `(async addresses => {
      const stolen = []
      globalThis.f = value => stolen.push('script ' + JSON.stringify(value))
      const ended = (node, at) => new Promise(resolve => {
        node.onload = node.onerror = resolve
        setTimeout(resolve, 3000)
        Object.assign(node, at)
        document.body.append(node)
      })
      const inFrame = async name => {
        const frame = document.createElement('iframe')
        frame.name = name
        document.body.append(frame)
        return frame
      }
      const form = async (address, method) => {
        const name = 'frame' + Math.random()
        await inFrame(name)
        const node = Object.assign(document.createElement('form'), { action: address.split('?')[0], method, target: name })
        for (const [key, value] of new URLSearchParams(address.split('?')[1])) {
          const input = Object.assign(document.createElement('input'), { name: key, value })
          node.append(input)
        }
        document.body.append(node)
        node.submit()
      }
      const read = async (address, init) => {
        const answer = await fetch(address, init).catch(() => undefined)
        const text = await answer?.text().catch(() => '')
        if (text) stolen.push('fetch ' + text.slice(0, 80))
      }
      await Promise.all(addresses.map(async address => {
        await Promise.all([
          ended(document.createElement('script'), { src: address }),
          ended(document.createElement('img'), { src: address }),
          ended(document.createElement('link'), { rel: 'stylesheet', href: address }),
          read(address, { mode: 'no-cors', credentials: 'include' }),
          read(address, { mode: 'no-cors', credentials: 'include', method: 'POST', body: 'a=b' }),
          read(address, { mode: 'cors', credentials: 'include' }),
          read(address, { mode: 'cors', credentials: 'include', method: 'DELETE' }),
        ])
        navigator.sendBeacon(address, 'a=b')
        const frame = await inFrame('')
        await ended(frame, { src: address })
        try { if (frame.contentDocument.URL !== 'about:blank') stolen.push('frame ' + frame.contentDocument.URL) } catch {}
        await form(address, 'get')
        await form(address, 'post')
        const other = open(address)
        await new Promise(resolve => setTimeout(resolve, 200))
        try { if (other && other.document.URL !== 'about:blank') stolen.push('window ' + other.document.URL) } catch {}
        other?.close()
      }))
      return stolen
    })(${JSON.stringify(addresses)})`,
  )

/** Sends many requests at once, each as an image, a script or a request without a preflight. */
const flood = (page: Page, addresses: readonly string[]): Promise<void> =>
  page.evaluate(
    `Promise.all(${JSON.stringify(addresses)}.map((address, index) => {
      if (index % 3 === 0) return fetch(address, { mode: 'no-cors', credentials: 'include', method: index % 2 ? 'POST' : 'GET' }).catch(() => {})
      return new Promise(resolve => {
        const node = document.createElement(index % 3 === 1 ? 'img' : 'script')
        node.onload = node.onerror = resolve
        node.src = address
        document.body.append(node)
      })
    }))`,
  )

inBrowser('the preview and other pages', () => {
  test('the page shows the plan, turns months, filters and searches, and opens cards', async () => {
    const { page, reached } = await previewInBrowser()
    expect(reached.length).toBeGreaterThan(0)
    await entry(page, 'Ball').first().waitFor()
    await page.getByRole('button', { name: 'Següent' }).first().click()
    await entry(page, 'Teatre').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Anterior' }).first().click()
    await entry(page, 'Teatre').click()
    await page.getByRole('dialog').getByText('Teatre').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('Estat').selectOption('draft')
    await entry(page, 'Secret').waitFor()
    await page.getByLabel('Estat').selectOption('')
    await page.getByLabel('Cerca').fill('Secret')
    await entry(page, 'Teatre').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'en', exact: true }).click()
    await page.getByLabel('Search').waitFor()
    // The language and what is sought stand in the address.
    await page.reload()
    await page.getByLabel('Search').waitFor()
    expect(await page.getByLabel('Search').inputValue()).toBe('Secret')
    await page.getByLabel('Search').fill('')
    await page.waitForURL(url => !url.searchParams.has('search'))
    await page.getByRole('button', { name: 'ca', exact: true }).click()
    await entry(page, 'Teatre').waitFor()
  })

  test.each(['localhost', '127.0.0.1'])(
    'a page of another port at %s reads and writes nothing, even if it knows the path',
    async host => {
      const { page, context, reached, origin, home, ids } = await previewInBrowser()
      const { origins } = await foreignSite()
      const foreign = await context.newPage()
      await page.waitForLoadState('networkidle')
      reached.length = 0
      await foreign.goto(origins.find(one => one.includes(host)) ?? '')
      const places = [...new Set([origin, home])]
      const requests = [
        '/calendar/events/v1/events?status=draft&_jsonp=f',
        `/calendar/events/v1/events/${ids[1]}?_%6dethod=DELETE`,
        '/calendar/events/v1/events?search=Ball',
        '/',
        '/__page/plan',
      ]
      const stolen = await attack(
        foreign,
        places.flatMap(place => requests.map(one => place + one)),
      )
      expect(stolen).toEqual([])
      expect(reached).toEqual([])
    },
    120_000,
  )

  test('random requests of a page of another site do not reach the site', async () => {
    const { page, context, reached, origin, home } = await previewInBrowser()
    const { origins } = await foreignSite()
    await page.waitForLoadState('networkidle')
    reached.length = 0
    const addresses = fc
      .sample(hostileRequests, count)
      .map(({ isInside, path, query }) => `${isInside ? home : origin}${path}?${query}`)
    for (const [index, from] of origins.entries()) {
      const foreign = await context.newPage()
      await foreign.goto(from)
      await flood(
        foreign,
        addresses.filter((_, at) => at % 2 === index),
      )
    }
    expect(reached).toEqual([])
  }, 600_000)

  test('the cookie is not sent to other ports of this machine, and no script can read it', async () => {
    const { page, context, home } = await previewInBrowser()
    const { origins, cookies } = await foreignSite()
    expect(await page.evaluate('document.cookie')).toBe('')
    expect(await context.cookies(`${home}/`)).toEqual([expect.objectContaining({ httpOnly: true, sameSite: 'Strict' })])
    const foreign = await context.newPage()
    for (const origin of origins) {
      await foreign.goto(origin)
      await foreign.evaluate(`fetch('/', { credentials: 'include' })`)
    }
    expect(cookies).toEqual([])
  })
})
