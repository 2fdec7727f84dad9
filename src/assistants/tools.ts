import { resources } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'
import * as z from '../contract/zod.lib.ts'

/** What may be asked: names and sentences that an assistant reads before every conversation, so there are as few as suffice. */

const names = resources.map(({ name }) => name) as [ResourceName, ...ResourceName[]]

const kind = z.enum(names)
const text = z.optional(z.string())
const days = { from: text, to: text }
const more = z.optional(z.number())

/** The arguments of each tool. */
export const toolSchemas = {
  look: z.strictObject({
    what: z.enum(['agenda', 'everything', ...names]),
    text,
    ...days,
    status: text,
    category: text,
    venue: text,
    more,
  }),
  get: z.strictObject({ kind, id: z.number(), field: text, more }),
  check: z.strictObject({
    what: z.enum(['problems', 'gaps', 'doubles', 'queue']),
    kind: z.optional(kind),
    ...days,
    more,
  }),
  plan: z.strictObject({
    action: z.enum(['create', 'update', 'apply', 'move', 'cancel', 'merge']),
    kind: z.optional(kind),
    records: z.optional(z.array(z.record(z.string(), z.unknown()))),
    ids: z.optional(z.array(z.number())),
    to: text,
    reason: text,
    allLanguages: z.optional(z.boolean()),
  }),
  apply_plan: z.strictObject({ plan: z.string() }),
  undo: z.strictObject({ run: z.string() }),
}

export type ToolName = keyof typeof toolSchemas

/** What each tool is for, in the words of the calendar. */
export const toolDescriptions: Readonly<Record<ToolName, string>> = {
  look: 'Look at the calendar: agenda (events by day; without from and to the next seven days), events, venues, organizers, categories, tags, or everything (finds text in all of them). from and to are days: 2026-12-05, next friday. If an answer has "more", ask again with it for the following rows.',
  get: 'One record with all of its fields. For the whole of a text that was cut, name its field.',
  check:
    'What needs care: problems (wrong or missing facts), gaps (missing translations), doubles (records that may be the same), queue (drafts and pending events, and what they lack).',
  plan: 'Make a plan; nothing is written. create, update (records with id) and apply (create or update until the calendar has these records) take records, with fields named as in get: title, start_date, end_date, venue, categories… move takes ids of events and to (a day, or day and time); cancel takes ids and a reason; merge takes ids, and keeps the first. allLanguages: their translations, too.',
  apply_plan:
    'Have a plan approved and carried out. Only a person can approve it, with a button on a page. Call again with the same plan to hear what became of it.',
  undo: 'Take back a run, once a person has approved that in the same way. Call again with the same run to hear what became of it.',
}

/** The tools after which something may be written. */
export const writingTools: readonly ToolName[] = ['apply_plan', 'undo']

/** A schema as the protocol's library takes it: the small form of zod does not say its own JSON. */
export function standardSchema(schema: (typeof toolSchemas)[ToolName]) {
  const { $schema: _, ...json } = z.toJSONSchema(schema)
  const says = () => json as Record<string, unknown>
  return { '~standard': { ...schema['~standard'], jsonSchema: { input: says, output: says } } }
}
