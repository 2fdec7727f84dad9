import type { Language } from '../contract/languages.ts'
import type { Client, Values } from './client.ts'

/** The same client for another language of its calendar: requests that name no language are in this one. */
export function inLanguage(client: Client, language: Language): Client {
  const withLanguage = (values: Values = {}): Values => ({ lang_code: language, ...values })
  return {
    ...client,
    language,
    list: (resource, filters) => client.list(resource, withLanguage(filters)),
    pages: (resource, filters, wanted) => client.pages(resource, withLanguage(filters), wanted),
    get: (resource, ref, values) => client.get(resource, ref, withLanguage(values)),
    create: (resource, values) => client.create(resource, withLanguage(values)),
    update: (resource, ref, values, renew) => client.update(resource, ref, withLanguage(values), renew),
    delete: (resource, ref, values, renew) => client.delete(resource, ref, withLanguage(values), renew),
    wordpress: (named, options) => client.wordpress(named ?? language, options),
    uploadedImage: (upload, named) => client.uploadedImage(upload, named ?? language),
  }
}
