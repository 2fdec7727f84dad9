import { readFileSync } from 'node:fs'

/** One recorded exchange; `<admin>` and the like stand for the credentials of a role. */
export interface Exchange {
  readonly name: string
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: unknown
    readonly body_raw?: string
  }
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: Readonly<Record<string, unknown>>
  }
}

/** A write of which only the IDs in its response are known. */
export interface Write {
  readonly write: {
    readonly method: string
    readonly path: string
    readonly type?: string
    readonly auth: string
    readonly status?: number
    readonly body?: unknown
    readonly body_raw?: string
    readonly ids?: Readonly<Record<string, unknown>>
  }
}

/** A change made without the API: an event got a password. */
export interface ByHand {
  readonly by_hand: { readonly event: number; readonly post_password: string }
}

export type Step = Exchange | Write | ByHand

interface Head {
  readonly group: string
  readonly start: 'empty' | 'seed'
  readonly zone: string
  /** When it was recorded, where moments are compared with one another: the replay starts its clock there. */
  readonly clock?: string
  /** The uploaded image, if any; it has the ID 5. */
  readonly poster?: string
}

export interface Group extends Head {
  readonly steps: readonly Step[]
}

const read = (name: string): unknown[] =>
  readFileSync(new URL(`recorded/${name}.ndjson`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))

const names = [
  'first',
  'writes',
  'lists',
  'terms',
  'edges',
  'inline',
  'zone-madrid',
  'zone-offset2',
  'zone-sitemode',
  'second',
  'third',
]

/** The recorded groups, each with the writes that precede it. */
export const groups = (): Group[] => {
  const seed = read('seed') as Step[]
  return names.map(name => {
    const [head, ...steps] = read(name) as [Head, ...Step[]]
    return { ...head, steps: head.start === 'seed' ? [...seed, ...steps] : steps }
  })
}
