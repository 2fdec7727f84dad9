import { fromUtc } from '../../time/zone.ts'
import type { Scope } from '../manner.ts'
import { utcNow } from '../write/write.ts'

/** What the clock of the site shows, `YYYY-MM-DD HH:MM:SS`. */
export const siteNow = ({ now, store }: Pick<Scope, 'now' | 'store'>): string =>
  fromUtc(utcNow({ now }), store.site.timezone)
