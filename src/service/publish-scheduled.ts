import { msWall } from '../time/dates.ts'
import { Refusal } from './refusal.ts'
import type { PostTable } from './store/rows.ts'
import type { Store } from './store/store.ts'

const postTables: readonly PostTable[] = ['events', 'venues', 'organizers']

/** Publishes scheduled posts when a request arrives after their date, as WordPress does. A read-only calendar leaves them. */
export async function publishScheduled(store: Store, now: Date): Promise<void> {
  const moment = msWall(now.getTime())
  const due = [...scheduleOf(store)].filter(([, date]) => date <= moment).map(([id]) => id)
  if (due.length === 0) return
  try {
    await store.write(writing => {
      for (const name of postTables)
        for (const row of due.flatMap(id => store.table(name).get(id) ?? []))
          writing.put(name, { ...row, status: 'publish' })
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

/** The publication dates of scheduled posts, in UTC, by ID. */
type Schedule = Map<number, string>

const schedules = new WeakMap<Store, Schedule>()

/** Built with the first request, and updated with every change. */
function scheduleOf(store: Store): Schedule {
  const existing = schedules.get(store)
  if (existing) return existing
  const schedule: Schedule = new Map()
  schedules.set(store, schedule)
  for (const name of postTables)
    for (const { id, status, date_utc } of store.table(name).values())
      if (status === 'future') schedule.set(id, date_utc)
  store.onChange(({ table, id, after }) => {
    if (table === 'categories' || table === 'tags') return
    if (after && 'status' in after && after.status === 'future') schedule.set(id, after.date_utc)
    else schedule.delete(id)
  })
  return schedule
}
