import { resources } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'

/** What may be asked, as schemas: the names and sentences that an assistant reads before every conversation, and so as few as suffice. */

const names = resources.map(({ name }) => name) as [ResourceName, ...ResourceName[]]

const day = (z: Zod) => z.optional(z.string())

type Zod = typeof import('../contract/zod.lib.ts')

/** The arguments of each tool. */
export function toolSchemas(z: Zod) {
  const kind = z.enum(names)
  const more = z.optional(z.number())
  const text = z.optional(z.string())
  const days = { from: day(z), to: day(z) }
  return {
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
}

/** What each tool is for, in the words of the calendar. */
export const toolDescriptions = {
  look: 'Looks at the calendar: agenda (events by day, the next seven days without from and to), events, venues, organizers, categories, tags, or everything (finds text in all of them). from and to are days: 2026-12-05, next friday. If the answer has "more", ask again with it for the following rows.',
  get: 'One record, with all of its fields. For the whole of a text that was cut, name its field.',
  check:
    'What to look after: problems (wrong or missing facts), gaps (missing translations), doubles (records that may be the same), queue (drafts and pending events, and what they lack).',
  plan: 'Makes a plan; nothing is written. create, update (records with id) and apply (create or update, so that the calendar has these records) take records with the fields that get shows: title, start_date, end_date, venue, categories… move takes ids of events and to (a day, or day and time), cancel ids and a reason, merge ids of which the first is kept. Records go to drafts unless their status is publish.',
  apply_plan:
    'Has a plan approved and carried out. Only a person can approve it, by a button on a page; call again with the same plan to hear what became of it.',
  undo: 'Plans to take back a run, and has that approved in the same way; call again with the same run to hear what became of it.',
} as const satisfies Readonly<Record<keyof ReturnType<typeof toolSchemas>, string>>
