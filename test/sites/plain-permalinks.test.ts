import { expect, test } from 'vitest'
import { parseBaseUrl } from '../../src/client/http/request.ts'
import { wordpressSite } from '../support/wordpress-site.ts'

const dates = '--start-date 2027-12-05 --end-date 2027-12-05'

/** A site without permalinks, and command lines with its address. */
async function plainSite() {
  const site = await wordpressSite()
  const baseUrl = `${site.baseUrl}/?rest_route=`
  return {
    ...site,
    baseUrl,
    calctl: (line: string, stdin?: string) => site.calctl(`--base-url ${baseUrl} ${line}`, stdin),
  }
}

test('a site without permalinks is written and read, and what was written is undone', async () => {
  const { calctl, requests } = await plainSite()
  expect(await calctl(`events create --title Jazz ${dates} -o ids`)).toMatchObject({ status: 0 })
  requests()
  expect(await calctl('events update jazz --cost 12 --title Rock -o csv --fields title,cost')).toMatchObject({
    status: 0,
    out: 'title,cost\nRock,$12\n',
  })
  expect(requests()).toEqual(['GET /', 'POST /', 'GET /'])
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await calctl('events get jazz -o csv --fields title,cost')).toMatchObject({ out: 'title,cost\nJazz,\n' })
})

test('every page of a list is read, and an export applies to a site without permalinks', async () => {
  const { calctl } = await plainSite()
  const rows = Array.from({ length: 60 }, (_, index) =>
    JSON.stringify({ resource: 'tags', name: `Tag ${index}` }),
  ).join('\n')
  expect(await calctl('apply - --format ndjson --yes', rows)).toMatchObject({ status: 0 })
  const { out } = await calctl('tags list --all --no-hide-empty -o ids')
  expect(out.trim().split('\n')).toHaveLength(60)
  const exported = await calctl('export')
  expect(await calctl('diff --exit-code -', exported.out)).toMatchObject({ status: 0 })
})

test.each([
  ['https://example.org/?rest_route=', 'https://example.org/?rest_route='],
  ['https://example.org/blog/?rest_route=/', 'https://example.org/blog/?rest_route='],
  ['https://example.org/index.php?rest_route=/', 'https://example.org/index.php?rest_route='],
])('the base URL %s is %s', (text, baseUrl) => {
  expect(parseBaseUrl(text, '/')).toEqual({ baseUrl })
})

test('a base URL with other parameters is refused', async () => {
  const { calctl } = await wordpressSite()
  expect(await calctl('events list --base-url http://127.0.0.1:1/?p=12')).toMatchObject({
    status: 2,
    err: expect.stringContaining('must not contain ?, other than ?rest_route= at its end'),
  })
})
