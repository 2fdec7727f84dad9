import type { Language } from '../src/contract/words.ts'
import { createService } from '../src/service/service.ts'
import { memoryStore } from '../src/service/store/memory.ts'
import { type Setup, storyTime, worldOf } from './world.ts'

interface Shape extends Pick<Setup, 'terminal' | 'env' | 'editor'> {
  language?: Language
  timezone?: string
  quirks?: boolean
}

/** An empty calendar of its own behind a command line: our service as a function, no socket and no file. */
export function calendar({ language = 'ca', timezone = 'Europe/Madrid', quirks = false, ...world }: Shape = {}) {
  const transport = createService({
    store: memoryStore({ language, timezone, quirks }),
    now: () => storyTime,
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
  })
  return worldOf({ transport, ...world })
}
