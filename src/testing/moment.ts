import { usage } from '../base/failure.ts'

/** A moment as tests write it; throws `usage` for any other text. */
export function readMoment(time: string | Date): Date {
  const moment = new Date(time)
  if (!Number.isNaN(moment.getTime())) return moment
  throw usage(`expected a time, got ${JSON.stringify(String(time))}`, "for example: '2026-12-05T09:00:00Z'")
}
