import { pathToFileURL } from 'node:url'
import { phrase } from '../base/words/phrase.ts'
import { documentedNamespace } from '../contract/contract.ts'
import type { Transport } from '../contract/exchange.ts'
import { createService } from './service.ts'

/** A calendar without a network: a JSON file, or the demo in memory. */
export type CalendarPlace = { readonly file: string } | { readonly demo: true }

/** A calendar in this process. */
export interface OpenCalendar {
  readonly transport: Transport
  close(): Promise<void>
}

interface EmbeddedOptions {
  /** Loads a file and releases its lock at once. */
  readonly onlyReads?: boolean
  /** Called with what other programs do to the file. */
  readonly notice?: (text: string) => void
}

/** Opens a calendar file, or the demo, in this process, as its editor. */
export async function openEmbedded(
  place: CalendarPlace,
  now: () => Date,
  options: EmbeddedOptions = {},
): Promise<OpenCalendar> {
  const store = await openPlace(place, now, options)
  const baseUrl = 'file' in place ? pathToFileURL(place.file).href : 'http://demo.test'
  // Quirks are how a server answers, and its clients know by the namespace what to expect; a calendar in this process has none.
  const service = createService({ store, now, baseUrl, namespace: documentedNamespace, quirks: false })
  return {
    async transport(request) {
      const response = await service(request)
      // As on a server, the client asks by this clock for what was created since a moment.
      return { ...response, headers: { ...response.headers, date: now().toUTCString() } }
    },
    close: () => store.close(),
  }
}

async function openPlace(place: CalendarPlace, now: () => Date, { onlyReads = false, notice }: EmbeddedOptions) {
  if ('file' in place) {
    const { openStore } = await import('./store/open-calendar-file.ts')
    return openStore({
      file: place.file,
      now,
      ...(onlyReads ? { readOnly: true, snapshot: true } : { orReadOnly: true }),
      ...(notice && { report: { notice, warning: text => notice(phrase('warning: {message}', { message: text })) } }),
    })
  }
  const { memoryStore } = await import('./store/memory-store.ts')
  const { demoRows } = await import('./demo/demo.ts')
  const { site, rows, files } = demoRows(now())
  return memoryStore(site, rows, files)
}
