/** Sources: places from which events come again and again. */

export interface Source {
  readonly name: string
  /** A path, or an address on the web. */
  readonly place: string
  /** What becomes of events that a source no longer has. */
  readonly vanished?: 'cancel' | 'trash' | 'keep'
  /** Who decides about a field if the source and somebody else changed it. */
  readonly decides?: Readonly<Record<string, 'source' | 'local'>>
}
