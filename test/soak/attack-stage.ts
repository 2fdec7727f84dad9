import { type Site, startSite } from './attacked-site.ts'
import { createShells, type Shells } from './attacking-shells.ts'
import { bundle } from './bundle.ts'
import { type ConfusingProxy, startConfusingProxy } from './confusing-proxy.ts'
import { startGarblingProxy } from './garbling-proxy.ts'
import { mulberry32 } from './random.ts'

/** How long and how hard calctl is attacked. */
export interface Attack {
  readonly folder: string
  readonly seed: number
  /** Commands of each of the two shells. */
  readonly rounds: number
  /** The number of events at the start. */
  readonly size: number
  /** The share of writes whose request or answer goes wrong on the way. */
  readonly faults: number
  /** Kill the server now and then. */
  readonly killsServer: boolean
  /** What answers in place of WordPress's own API. */
  readonly wordpress?: ConfusingProxy['wordpress']
  /** How far the clock of the site is ahead, in ms. */
  readonly clock?: number
}

export interface AttackOutcome {
  /** What was lost, doubled or changed without being asked, one sentence each. */
  readonly problems: readonly string[]
  readonly commands: number
  /** Commands that ended with 0. */
  readonly succeeded: number
  readonly kills: number
  /** Requests that went wrong on the way. */
  readonly garbled: number
  readonly confused: number
  readonly stale: number
  /** Edits in the browser that the site acknowledged. */
  readonly edits: number
  /** The statuses among them that an update without `wp/v2` sent back as they were before. */
  readonly overwritten: number
  readonly created: number
}

/** A site with what lies between it and calctl. */
export interface Stage {
  readonly folder: string
  readonly site: Site
  readonly shells: Shells
  readonly random: () => number
  readonly problems: string[]
  /** The events that were updated through the events API. */
  readonly updatedWhole: ReadonlySet<number>
  /** What answers in place of WordPress's own API. */
  setWordPress(wordpress: ConfusingProxy['wordpress']): void
  /** From now on, this share of writes goes wrong, and if answers are mixed up too, a third as many of those. */
  setFaults(rate: number): void
}

/** Sets the stage for an attack, plays it, and clears everything away; answers are mixed up only if `mixesUp`. */
export async function onStage(
  { folder, seed, clock = 0 }: Attack,
  mixesUp: boolean,
  play: (
    stage: Stage,
  ) => Promise<Pick<AttackOutcome, 'created'> & Partial<Pick<AttackOutcome, 'edits' | 'overwritten'>>>,
): Promise<AttackOutcome> {
  const random = mulberry32(seed)
  const script = await bundle('calctl')
  const site = await startSite(script, folder, clock)
  const confusing = await startConfusingProxy(() => site.port(), random, { cachesFor: mixesUp ? 2000 : 0, clock })
  // The outer one, or answers that are cut off would not arrive as such.
  const garbling = await startGarblingProxy(() => confusing.port, random)
  try {
    const shells = createShells(script, folder, garbling.port)
    const played = await play({
      folder,
      site,
      shells,
      random,
      problems: shells.problems,
      updatedWhole: garbling.updatedWhole,
      setWordPress: wordpress => {
        confusing.wordpress = wordpress
      },
      setFaults: rate => {
        garbling.rate = rate
        confusing.rate = mixesUp ? rate / 3 : 0
      },
    })
    const { problems, commands, succeeded, kills } = shells
    const { confused, stale } = confusing
    return {
      edits: 0,
      overwritten: 0,
      ...played,
      problems,
      commands,
      succeeded,
      kills,
      garbled: garbling.garbled,
      confused,
      stale,
    }
  } finally {
    garbling.close()
    confusing.close()
    await site.stop()
  }
}
