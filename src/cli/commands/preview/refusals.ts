import { createHash } from 'node:crypto'
import { declined } from '../../../base/failure.ts'
import { wallAt } from '../../../base/time/zone.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Plan } from '../../../changes/plan/plan.ts'
import { shortDate } from '../../../files/print/record-names.ts'
import { refusalsAt } from '../../profiles/site-notes.ts'
import type { World } from '../../world.ts'

/** When a person refused a plan last, in ISO format, also if it was made again since; undefined if nobody did. */
export function refusedAt(world: World, plan: Plan): string | undefined {
  const sum = sumOf(plan)
  const refusals = refusalsAt(world, plan.calendar.id).all()
  return refusals.findLast(note => note.plan === sum)?.at
}

/** The checksum of the changes, in whatever order they are planned, and beside whatever else was looked at. */
function sumOf({ steps }: Plan): string {
  const changes = Array.from(steps, ({ action, resource, id, lang_code: language, values }) =>
    JSON.stringify([
      action,
      resource,
      id,
      language,
      Object.entries(values)
        .map(one => JSON.stringify(one))
        .toSorted(),
    ]),
  )
  return createHash('sha256').update(changes.toSorted().join('\n')).digest('hex')
}

/** Throws `declined` before the first write if a person has refused the plan since it was `known` when it was last refused. */
export function checkNotRefused(world: World, plan: Plan, known: string | undefined): void {
  if (refusedAt(world, plan) === known) return
  throw declined(phrase('this plan was refused in the meantime; nothing was changed'), anotherPlan())
}

/** What to do in place of a plan that is not carried out any more. */
export const anotherPlan = (): string => phrase('make a new plan with: calctl diff FILE --save plan.json')

export const keepRefusal = (world: World, plan: Plan): void =>
  refusalsAt(world, plan.calendar.id).add({ plan: sumOf(plan), at: world.now().toISOString() })

/** `this plan was refused on Sat 21 Nov 03:00` */
export function refusalNote(world: World, plan: Plan): string | undefined {
  const at = refusedAt(world, plan)
  if (at === undefined) return undefined
  const when = shortDate(wallAt(Date.parse(at), world.timeZone()).slice(0, 16), String(world.now().getFullYear()))
  return phrase('this plan was refused on {when}', { when })
}
