import type { Answer, Resource } from '../contract/resource.ts'
import type { Change, ChangeContext } from './change.ts'
import type { Values } from './client.ts'
import { withKnownImage } from './images/image-sources.ts'

/** The values to send for a change of this record. */
export async function resolveChange(
  resource: Resource,
  before: Answer,
  asked: Change,
  context: ChangeContext,
): Promise<Values> {
  const marked = context.marks && hasStatus(asked.values) ? await context.marks(resource, asked, before) : asked
  const change =
    marked.values.image === undefined
      ? marked
      : { ...marked, values: await withKnownImage(context.known ?? {}, before, marked.values) }
  const dated = concernsDates(resource, before, change)
    ? await (await import('./dates-of-change.ts')).datesOfChange(resource, before, change, context)
    : change.values
  const links = await linkChanges(resource, before, change, context)
  const resolved = { ...(await context.names.resolve(resource, dated, before)), ...links }
  return context.allow ? context.allow(resource, resolved, before, context.fieldLabel) : resolved
}

const hasStatus = (values: Values): boolean =>
  values.event_status !== undefined || values.event_status_reason !== undefined

/** Whether a change has dates, or what dates depend on, or the dates of the record are in the wrong order. */
const concernsDates = ({ fields }: Resource, before: Answer, change: Change): boolean =>
  (change.shift ?? change.moveTo ?? change.duration) !== undefined ||
  Object.keys(change.values).some(name => /^(timezone|all_day)$/.test(name) || fields[name]?.kind.shape === 'moment') ||
  String(before.end_date) < String(before.start_date)

/** The values to send for a new record. */
export async function resolveCreation(
  resource: Resource,
  given: Values,
  context: ChangeContext,
  duration?: number,
): Promise<Values> {
  const { marks } = context
  const marked = marks && hasStatus(given) ? await marks(resource, { values: given }) : { values: given }
  const { datesOfCreation } = await import('./dates-of-change.ts')
  const { dated, timezone } = await datesOfCreation(resource, marked.values, context, duration)
  const allowed = context.allow ? await context.allow(resource, dated, undefined, context.fieldLabel) : dated
  return context.names.resolve(resource, { ...allowed, ...timezone })
}

async function linkChanges(
  resource: Resource,
  before: Answer,
  { add = {}, remove = {} }: Change,
  { names }: ChangeContext,
): Promise<Values> {
  const added = await names.resolve(resource, add, before)
  const removed = await names.resolve(resource, remove, before)
  const changed = [...new Set([...Object.keys(added), ...Object.keys(removed)])]
  return Object.fromEntries(
    changed.map(name => {
      const field = resource.fields[name]
      const current = field ? toList(field.kind.canonical(before[name], field)) : []
      const dropped = new Set(toList(removed[name]))
      return [name, [...new Set([...current, ...toList(added[name])])].filter(id => !dropped.has(id))]
    }),
  )
}

const toList = (value: unknown): unknown[] => (value === undefined ? [] : [value].flat())
