/** Time as a run sees it, in ms. */
export interface Clock {
  now(): number
  /** When the machine was started last. */
  upSince(): number
  sleep(ms: number): Promise<void>
}
