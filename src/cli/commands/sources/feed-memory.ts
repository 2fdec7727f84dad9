import { createHash } from 'node:crypto'
import { shellWord } from '../../../base/text/escaping.ts'
import { hidePassword } from '../../../base/text/secrets.ts'
import type { PlanOptions } from '../../../changes/carry-out/front.ts'
import type { Plan } from '../../../changes/plan/plan.ts'
import type { FileRecord } from '../../../files/records/file-record.ts'
import { planSources } from '../../../sources/plan-sources.ts'
import type { Settled } from '../../../sources/settle.ts'
import type { App } from '../../app.ts'
import { whileLocked } from '../../profiles/change-file.ts'
import { feedMemoryFile } from '../../profiles/user-folders.ts'
import type { PlanRecords } from '../shared/plan-from-files.ts'
import { openMemory, rememberAfter } from './open-memory.ts'

/** The memory of a feed that `calctl apply URL` follows, under its address. */
export async function openFeedMemory(app: App, address: string) {
  const memory = await openMemory(app, feedFile(app, address))
  let made: Settled | undefined
  const make: PlanRecords = async (records, context, options) => {
    const listening = {
      memory,
      context,
      options,
      rules: [{ name: 'feed' }],
      review: `calctl sources review --feed ${shellWord(shownFeed(address))}`,
    }
    made = await planSources([{ source: { name: 'feed' }, records, isWord: isOfFeed }], listening)
    return made.plan
  }
  const carryOut = (plan: Plan, options: PlanOptions) => rememberAfter(app, memory, { ...made, plan }, options)
  return { make, carryOut }
}

/** Does something with the memory of a feed while no other process does. */
export const whileFollowing = (app: App, address: string, work: () => Promise<void>): Promise<void> =>
  whileLocked(feedFile(app, address), work)

/** The file for an address, or for the name of one. */
export const feedFile = (app: App, address: string): string => feedMemoryFile(app.world, nameOfFeed(address))

function nameOfFeed(address: string): string {
  const hash = createHash('sha256').update(address.replace(/^webcal:/i, 'https:'))
  return /^[\da-f]{16}$/.test(address) ? address : hash.digest('hex').slice(0, 16)
}

/** An address, or its name if it has a secret. */
const shownFeed = (address: string): string => (hidePassword(address) === address ? address : nameOfFeed(address))

/** A sheet on the web says how the calendar shall be, as one on the disk does. */
const isOfFeed = ({ numbersAreNames, values }: FileRecord): boolean =>
  numbersAreNames === true && typeof values.slug === 'string'
