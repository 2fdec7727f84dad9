import { msWall } from '../time/dates.ts'
import { Refusal } from './refusal.ts'
import type { Store } from './store/store.ts'

const postTables = ['events', 'venues', 'organizers'] as const

/** Publishes what was to wait until now, when the next request comes, as WordPress does. Where nothing can be written it waits on. */
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

/** When posts that wait are to be published, in UTC, by their ids. */
type Schedule = Map<number, string>

const kept = new WeakMap<Store, Schedule>()

/** Made with the first request, and kept in step from then on. */
function scheduleOf(store: Store): Schedule {
  const known = kept.get(store)
  if (known) return known
  const schedule: Schedule = new Map()
  kept.set(store, schedule)
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
