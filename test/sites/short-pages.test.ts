import { expect, test } from 'vitest'
import { linkedRecords, unlistedIds } from '../../src/client/adapters/hidden-records.ts'
import { createWordPress } from '../../src/client/adapters/wp-client.ts'
import type { Reads } from '../../src/client/client.ts'
import { resourceNamed } from '../../src/contract/contract.ts'
import type { Request, Response } from '../../src/contract/exchange.ts'

/** A site whose `wp/v2` counts the records of others, and leaves them out of its pages, as for an author. */
function siteOfAuthor(pages: readonly (readonly number[])[]): Reads {
  const transport = async ({ query = '' }: Request): Promise<Response> => {
    const rows = pages[Number(new URLSearchParams(query).get('page') ?? 1) - 1]
    const headers = { 'x-wp-total': String(pages.length * 100), 'x-wp-totalpages': String(pages.length) }
    const refusal = { code: 'rest_post_invalid_page_number', data: { status: 400 } }
    const body = rows ? rows.map(id => ({ id })) : refusal
    return { status: rows ? 200 : 400, headers, body: new TextEncoder().encode(JSON.stringify(body)) }
  }
  const calendar = { id: 'test', label: 'a site', baseUrl: 'http://calendar.test/wp-json' }
  const may = { write: true, publish: true, editOthers: false, upload: true }
  const access = { requiresWordPress: false, rememberNoWordPress: async () => {} }
  const wordpress = createWordPress({
    transport,
    calendar,
    access,
    notice: async () => {},
    user: async () => ({ name: 'author', roles: ['author'], may }),
  } as unknown as Parameters<typeof createWordPress>[0])
  return { calendar, wordpress: async () => wordpress } as unknown as Reads
}

const events = resourceNamed('events')

test.each([
  ['a short page', [[1, 2], [3], [4]]],
  ['a page without rows', [[1, 2], [], [3, 4]]],
  ['a first page without rows', [[], [], [1, 2, 3], [4]]],
])('a list of stored records is read beyond %s', async (_, pages) => {
  const client = siteOfAuthor(pages)
  expect(await unlistedIds(client, events, new Set([2]), undefined)).toEqual([1, 3, 4])
  const linked = await linkedRecords(client, events, { field: 'categories', ids: [7], language: undefined })
  expect(linked.map(({ id }) => id)).toEqual([1, 2, 3, 4])
})

test('a list of stored records ends where a site repeats the same page', async () => {
  const pages = Array.from({ length: 50 }, () => [1, 2])
  expect(await unlistedIds(siteOfAuthor(pages), events, new Set(), undefined)).toEqual([1, 2])
})
