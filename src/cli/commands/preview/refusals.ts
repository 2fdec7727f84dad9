import { wallAt } from '../../../base/time/zone.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Plan } from '../../../changes/plan/plan.ts'
import { contentSum } from '../../../changes/plan/plan-file.ts'
import { shortDate } from '../../../files/print/record-names.ts'
import { refusalsAt } from '../../profiles/site-notes.ts'
import type { World } from '../../world.ts'

/** When a person refused a plan last, in ISO format, also if it was made again since; undefined if nobody did. */
export function refusedAt(world: World, plan: Plan): string | undefined {
  const sum = contentSum(plan)
  const refusals = refusalsAt(world, plan.calendar.id).all()
  return refusals.findLast(note => note.plan === sum)?.at
}

export const keepRefusal = (world: World, plan: Plan): void =>
  refusalsAt(world, plan.calendar.id).add({ plan: contentSum(plan), at: world.now().toISOString() })

/** `this plan was refused on Sat 21 Nov 03:00` */
export function refusalNote(world: World, plan: Plan): string | undefined {
  const at = refusedAt(world, plan)
  if (at === undefined) return undefined
  const when = shortDate(wallAt(Date.parse(at), world.timeZone()).slice(0, 16), String(world.now().getFullYear()))
  return phrase('this plan was refused on {when}', { when })
}
