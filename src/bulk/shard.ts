import { createHash } from 'node:crypto'
import { wrongValue } from '../failure.ts'
import type { Step } from './plan.ts'

/** One of several parts of a plan, from 1. */
export interface Shard {
  readonly part: number
  readonly of: number
}

/** Reads `2/8`. */
export function readShard(text: string): Shard {
  const [, part, of] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number)
  if (part === undefined || of === undefined || part < 1 || part > of)
    throw wrongValue('--shard', 'a part and how many there are', text, '2/8')
  return { part, of }
}

/** Whether a step belongs to a part: its key says so, whoever asks and whatever else is in the plan. */
export function isInShard({ key }: Step, { part, of }: Shard): boolean {
  return createHash('sha256').update(key).digest().readUInt32BE() % of === part - 1
}
