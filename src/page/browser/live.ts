import type { CalendarClock } from './calendar-clock.ts'

/** The clock of the calendar, as the server says it. */
type ServerClock = Parameters<CalendarClock['set']>[0]

/** After how long a server that refused the stream is asked again, in ms. */
const pause = 3000

/**
 * Listens to the changes after a version of the calendar, the one for which the page was made. `onChange` is also called when the connection
 * to the server is lost and found again. It listens while the page is visible: a page in the background needs none, and browsers allow few connections
 * to a server.
 */
export function followChanges(first: number, onChange: () => void, onClock: (clock: ServerClock) => void): void {
  let source: EventSource | undefined
  let version = first
  let isLost = false
  const follow = () => {
    source?.close()
    if (document.visibilityState !== 'visible') return
    source = new EventSource('/__page/changes')
    source.addEventListener('change', ({ data }: MessageEvent<string>) => {
      const before = version
      const state = JSON.parse(data) as { version: number } & ServerClock
      version = state.version
      onClock(state)
      // Another server may begin to count at one again.
      if (before !== version || isLost) onChange()
      isLost = false
    })
    source.addEventListener('error', () => {
      isLost = true
      onChange()
      // The browser tries again itself, unless it was refused.
      if (source?.readyState === EventSource.CLOSED) setTimeout(follow, pause)
    })
  }
  document.addEventListener('visibilitychange', follow)
  follow()
}
