import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { worldOf } from '../support/world.ts'
import { entry, event, inBrowser, open } from './in-browser.ts'

inBrowser('the request of a view', () => {
  test('as a URL, for curl, calctl and calctl/client: each gives the events of the view', async () => {
    const { page, create, go } = await open('/?lang=en')
    const category = await create('categories', { name: 'Jazz', lang_code: 'en' })
    const shown = { categories: [category.id], lang_code: 'en' }
    for (const title of ["It's jazz", 'More “jazz”']) await create('events', event(title, shown))
    await create('events', event('Something else', { lang_code: 'en' }))
    await go()
    await page.getByLabel('Category').selectOption({ label: 'Jazz' })
    await entry(page, 'Something else').waitFor({ state: 'detached' })
    await page.getByLabel('Search').fill('jazz')
    await page.getByText('For developers').click()
    await page.getByText('The request of this view').click()
    await page.locator('.asked pre', { hasText: 'search=jazz' }).first().waitFor()
    const [url = '', curl, calctl = '', code = '', answer = ''] = await page.locator('.asked pre').allTextContents()
    expect(curl).toBe(`curl '${url}'`)
    const titlesOf = (events: readonly { title: string }[]) => events.map(({ title }) => title).toSorted()
    const expected = titlesOf(JSON.parse(answer).events)
    expect(expected).toHaveLength(2)
    expect(titlesOf(((await (await fetch(url)).json()) as { events: { title: string }[] }).events)).toEqual(expected)
    const { out } = await worldOf({})(`${calctl.replace(/^calctl /, '')} --json`)
    expect(titlesOf(JSON.parse(out))).toHaveLength(2)
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
    expect(stdout.trim().split('\n').toSorted()).toEqual(titlesOf(JSON.parse(out)))
  })
})
