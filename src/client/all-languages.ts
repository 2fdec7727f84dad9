import type { Language } from '../contract/languages.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import type { Client, Page, Values } from './client.ts'
import { languagesToRead } from './known-languages.ts'

/**
 * A client whose lists have the records of all languages of its calendar, each with its `lang_code`: events in the order of their dates,
 * others language by language. A page has that page of every language. Nothing but lists is read in several languages.
 */
export function inAllLanguages(client: Client): Client {
  let known: Promise<readonly Language[]> | undefined
  const scopes = async (filters: Values): Promise<Values[]> => {
    known ??= languagesToRead(client)
    const all = await known
    return all.length > 1 ? all.map(lang_code => ({ ...filters, lang_code })) : [filters]
  }
  return {
    ...client,
    async list(resource, filters) {
      const pages = await Promise.all((await scopes(filters)).map(scope => client.list(resource, scope)))
      return joined(resource, pages)
    },
    async *pages(resource, filters, wanted) {
      const lists = (await scopes(filters)).map(scope => client.pages(resource, scope, wanted)[Symbol.asyncIterator]())
      if (!isDated(resource)) {
        yield* oneAfterAnother(lists)
        return
      }
      yield* merged(resource, lists)
    },
  }
}

const isDated = ({ fields }: Resource): boolean => 'start_date' in fields

const startOf = ({ start_date }: Answer): string => String(start_date)

function joined(resource: Resource, pages: readonly Page[]): Page {
  const records = pages.flatMap(page => page.records)
  return {
    ...pages[0],
    records: isDated(resource)
      ? records.toSorted((one, other) => (startOf(one) < startOf(other) ? -1 : Number(startOf(one) > startOf(other))))
      : records,
    total: pages.reduce((sum, { total }) => sum + total, 0),
    pages: Math.max(0, ...pages.map(({ pages }) => pages)),
  }
}

type Pages = AsyncIterator<Page>

async function* oneAfterAnother(lists: readonly Pages[]): AsyncGenerator<Page> {
  const first = await Promise.all(lists.map(list => list.next()))
  const total = first.reduce((sum, { done, value }) => sum + (done ? 0 : value.total), 0)
  for (const [index, list] of lists.entries())
    for (let next = first[index]; next && !next.done; next = await list.next()) yield { ...next.value, total }
}

/** The pages of several lists as one list in the order of dates: what starts before the last of every page that was read is certain. */
async function* merged(resource: Resource, lists: readonly Pages[]): AsyncGenerator<Page> {
  const open = lists.map(list => ({ list, waiting: [] as Answer[], total: 0, isDone: false }))
  for (;;) {
    await Promise.all(
      open.map(async one => {
        while (!one.isDone && one.waiting.length === 0) {
          const { done = false, value } = await one.list.next()
          one.isDone = done
          if (done) return
          one.waiting = [...value.records]
          one.total = value.total
        }
      }),
    )
    const waiting = open.filter(one => one.waiting.length > 0)
    if (waiting.length === 0) return
    const [until = ''] = waiting.map(one => startOf(one.waiting.at(-1) as Answer)).toSorted()
    const records: Answer[] = []
    for (const one of waiting) {
      records.push(...one.waiting.filter(record => startOf(record) <= until))
      one.waiting = one.waiting.filter(record => startOf(record) > until)
    }
    const total = open.reduce((sum, one) => sum + one.total, 0)
    yield joined(resource, [{ records, total, pages: 1 }])
  }
}
