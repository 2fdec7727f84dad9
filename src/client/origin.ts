import type { Client } from './client.ts'

/** The site and namespace that a client's IDs belong to. */
export const originOf = ({ site, namespace }: Pick<Client, 'site' | 'namespace'>): string =>
  /^https?:/.test(site) ? `${site.replace(/\/+$/, '')}/${namespace}` : site
