import { once } from '../../base/memoize.ts'
import { isLanguage, type Language } from '../../contract/languages.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { landedIn } from '../adapters/new-record-result.ts'
import type { CalendarApi, Page, Reads, Renew, Values } from '../client.ts'
import { languagesToRead } from './known-languages.ts'

/**
 * A client for a calendar whose languages have base URLs of their own. A request with a `lang_code` goes to the base URL of that language,
 * without the `lang_code`, which that site may not know; the records in the answer get it. `clientFor` returns undefined for a language
 * without a base URL of its own.
 */
export function routeByLanguage(
  client: CalendarApi,
  ownLanguage: Language | undefined,
  clientFor: (language: Language) => Promise<CalendarApi | undefined>,
  languages: readonly Language[] = [],
): CalendarApi {
  const used = new Set([client])
  const route = async (values: Values = {}): Promise<{ target: CalendarApi; values: Values; tag: object }> => {
    const { lang_code: language, ...others } = values
    const target = isLanguage(language) && language !== ownLanguage ? await clientFor(language) : client
    if (target) used.add(target)
    if (!isLanguage(language) || !target) return { target: client, values, tag: {} }
    return { target, values: others, tag: { lang_code: language } }
  }
  const routed = (renew: Renew | undefined): Renew | undefined =>
    renew && (async () => (await route(await renew())).values)
  const tagged = (record: Answer, tag: object): Answer => ({ ...tag, ...record })
  const taggedPage = (page: Page, tag: object): Page => ({
    ...page,
    records: page.records.map(record => tagged(record, tag)),
  })
  const othersThan = async (asked: Language): Promise<(readonly [Language, CalendarApi])[]> => {
    const found: (readonly [Language, CalendarApi])[] = []
    for (const language of languages) {
      const other = language === ownLanguage ? client : await clientFor(language)
      if (language !== asked && other) found.push([language, other])
    }
    return found
  }
  return {
    ...client,
    knownName(resource, id) {
      for (const { knownName } of used) if (knownName(resource, id) !== undefined) return knownName(resource, id)
      return undefined
    },
    languages: () => ({ own: ownLanguage, all: languages }),
    async list(resource, filters) {
      const { target, values, tag } = await route(filters)
      return taggedPage(await target.list(resource, values), tag)
    },
    async *pages(resource, filters, wanted) {
      const { target, values, tag } = await route(filters)
      for await (const page of target.pages(resource, values, wanted)) yield taggedPage(page, tag)
    },
    async get(resource, ref, query) {
      const { target, values, tag } = await route(query)
      return tagged(await target.get(resource, ref, values), tag)
    },
    async create(resource, body) {
      const { target, values, tag } = await route(body)
      const created = await target.create(resource, values)
      const { lang_code: asked = ownLanguage } = body
      if (!isLanguage(asked)) return tagged(created, tag)
      return { ...created, lang_code: await landedIn([asked, target], () => othersThan(asked), resource, created) }
    },
    async update(resource, ref, body, renew) {
      const { target, values, tag } = await route(body)
      return tagged(await target.update(resource, ref, values, routed(renew)), tag)
    },
    async wordpress(language, options) {
      const { target } = await route({ lang_code: language })
      return target.wordpress(undefined, options)
    },
    async uploadedImage(upload, language) {
      const { target } = await route({ lang_code: language })
      return target.uploadedImage(upload)
    },
    async delete(resource, ref, query, renew) {
      const { target, values, tag } = await route(query)
      return tagged(await target.delete(resource, ref, values, routed(renew)), tag)
    },
  }
}

/** The same calendar in another language, for reads that name none. */
export function inLanguage(client: Reads, language: Language): Reads {
  const withLanguage = (values: Values = {}): Values => ({ lang_code: language, ...values })
  return {
    ...client,
    language,
    list: (resource, filters) => client.list(resource, withLanguage(filters)),
    pages: (resource, filters, wanted) => client.pages(resource, withLanguage(filters), wanted),
    get: (resource, ref, values) => client.get(resource, ref, withLanguage(values)),
    wordpress: (named, options) => client.wordpress(named ?? language, options),
    uploadedImage: (upload, named) => client.uploadedImage(upload, named ?? language),
  }
}

/**
 * A client whose lists have the records of all languages of a calendar, each with its `lang_code`: events by date, other records language
 * by language. A page has that page of every language. Everything but lists is read in one language.
 */
export function inAllLanguages<T extends Reads>(client: T): T {
  const known = once(() => languagesToRead(client))
  const scopes = async (filters: Values): Promise<Values[]> => {
    const all = await known()
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
      yield* isDated(resource) ? merged(resource, lists) : oneAfterAnother(lists)
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

/** The pages of several lists as one list by date. Records that start before the end of every page read so far are certain to be next. */
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
