import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { axeFindings, entry, event, inBrowser, open } from './in-browser.ts'

test('the script of the page has at most 150 kB before the reference is opened', () => {
  expect(gzipSync(readFileSync('dist/page/page.js')).length).toBeLessThan(150_000)
})

test('the packed program has at most 4 MB', () => {
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' })
  const [{ size }] = JSON.parse(packed)
  expect(size).toBeLessThan(4_000_000)
})

/** Both take seconds, so that only `npm run soak` has both. */
const schemes = process.env.SOAK_ROUNDS === undefined ? (['dark'] as const) : (['light', 'dark'] as const)

inBrowser('the reference of the API', () => {
  test.each(schemes)('is loaded when it is opened, and accessible (%s)', async colorScheme => {
    const loaded: string[] = []
    const { page, go, create, wrong } = await open('/?lang=en', undefined, { colorScheme, bypassCSP: true })
    page.on('request', request => loaded.push(request.url()))
    await create('events', event('Concert', { lang_code: 'en' }))
    await go()
    await entry(page, 'Concert').waitFor()
    expect(loaded.filter(url => url.includes('reference'))).toEqual([])
    await page.getByText('The reference of the API').click()
    await page.locator('.opblock-tag').first().click()
    await page.locator('.opblock-control-arrow').first().click()
    await page.locator('.opblock-body select').first().waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(wrong).toEqual([])
  })

  test('obeys the policy of the page', async () => {
    const { page, go, wrong } = await open('/?lang=es')
    await go()
    await page.getByText('La referencia de la API').click()
    await page.locator('.opblock-tag').first().click()
    await page.locator('.opblock-control-arrow').first().click()
    await page.locator('.opblock-body select').first().waitFor()
    expect(wrong).toEqual([])
  })
})
