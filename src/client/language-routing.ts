import type { Answer } from '../contract/resource.ts'
import { isLanguage, type Language } from '../contract/words.ts'
import type { Client, Page, Values } from './client.ts'

/**
 * A client of a calendar that has a base URL for each of several languages: what says a language goes to the site of that
 * language, which need not know of `lang_code`, and answers say theirs. Undefined where a language has no site of its own.
 */
export function routeByLanguage(
  own: Client,
  spoken: Language | undefined,
  siteOf: (language: Language) => Promise<Client | undefined>,
): Client {
  const chosen = async (values: Values = {}): Promise<{ client: Client; values: Values; said: object }> => {
    const { lang_code: language, ...others } = values
    if (!isLanguage(language)) return { client: own, values, said: {} }
    const client = language === spoken ? own : await siteOf(language)
    return client ? { client, values: others, said: { lang_code: language } } : { client: own, values, said: {} }
  }
  const told = (record: Answer, said: object): Answer => ({ ...said, ...record })
  const toldPage = (page: Page, said: object): Page => ({
    ...page,
    records: page.records.map(record => told(record, said)),
  })
  return {
    ...own,
    async list(resource, filters) {
      const { client, values, said } = await chosen(filters)
      return toldPage(await client.list(resource, values), said)
    },
    async *pages(resource, filters, wanted) {
      const { client, values, said } = await chosen(filters)
      for await (const page of client.pages(resource, values, wanted)) yield toldPage(page, said)
    },
    async get(resource, ref, given) {
      const { client, values, said } = await chosen(given)
      return told(await client.get(resource, ref, values), said)
    },
    async create(resource, given) {
      const { client, values, said } = await chosen(given)
      return told(await client.create(resource, values), said)
    },
    async update(resource, ref, given) {
      const { client, values, said } = await chosen(given)
      return told(await client.update(resource, ref, values), said)
    },
    async delete(resource, ref, given) {
      const { client, values, said } = await chosen(given)
      return told(await client.delete(resource, ref, values), said)
    },
  }
}
