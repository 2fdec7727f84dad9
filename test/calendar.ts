import type { Language } from '../src/contract/words.ts'
import { createService } from '../src/service/service.ts'
import { memoryStore } from '../src/service/store/memory.ts'
import { worldOf } from './world.ts'

/** The moment at which the stories happen. */
const now = new Date('2026-11-21T02:00:00Z')

interface Shape {
  language?: Language
  timezone?: string
  quirks?: boolean
  terminal?: number
  env?: Record<string, string>
  editor?: (text: string) => string | undefined
}

/** An empty calendar of its own behind a command line: our service as a function, no socket and no file. */
export function calendar({ language = 'ca', timezone = 'Europe/Madrid', quirks = false, ...world }: Shape = {}) {
  const transport = createService({
    store: memoryStore({ language, timezone, quirks }),
    now: () => now,
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
  })
  return worldOf({ transport, now, ...world })
}
