/** Time as a run sees it, in ms. */
export interface Clock {
  now(): number
  sleep(ms: number): Promise<void>
}
