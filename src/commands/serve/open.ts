import type { App } from '../../app.ts'
import type { Site } from '../../service/store/rows.ts'
import type { Store } from '../../service/store/store.ts'
import type { ServeOptions, Settings } from './settings.ts'

/** The calendar that is served: the demo, memory, the file named, or the embedded one. */
export async function openServed(
  { globals }: App,
  { timezone = 'Europe/Madrid' }: Settings,
  options: ServeOptions,
  _url: string,
): Promise<Store> {
  const site: Site = { language: globals.lang ?? 'ca', timezone, quirks: options.quirks ?? false }
  const { memoryStore } = await import('../../service/store/memory.ts')
  return memoryStore(site)
}
