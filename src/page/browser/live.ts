/** What the page does when the calendar changes, and when the connection to the server is lost and found again. */
export interface Follower {
  /** The version of the calendar for which the page was made. */
  readonly version: number
  /** Called after a change, and when the connection is lost and found again. */
  onChange(): void
  onClock(clock: ServerClock): void
}

/** The clock of the calendar, as the server says it. */
interface ServerClock {
  readonly now: string
  readonly stands: boolean
}

/** After how long a server that refused the stream is asked again, in ms. */
const pause = 3000

/**
 * Listens to the changes of the calendar while the page is visible: a page in the background needs none, and browsers allow few connections
 * to a server.
 */
export function followChanges({ version: first, onChange, onClock }: Follower): void {
  let source: EventSource | undefined
  let version = first
  let isLost = false
  const connect = () => {
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
  const follow = () => {
    source?.close()
    if (document.visibilityState === 'visible') connect()
  }
  document.addEventListener('visibilitychange', follow)
  follow()
}
