import { calendar } from '../support/calendar.ts'

/** A calendar with events of all shapes in the week of the test time, Saturday 21 November 2026. */
export async function town(options: Parameters<typeof calendar>[0] = {}) {
  const seen: string[] = []
  const calctl = calendar({ language: 'en', ...options, seen })
  const create = async (line: string) => {
    const { status, err } = await calctl(`${line} -q -o ids`)
    if (status !== 0) throw new Error(err)
  }
  await create('categories create --name Music')
  await create('categories create --name Fairs')
  await create('venues create --venue "Teatre Principal" --address "Carrer Nou 1" --city Girona')
  const event = (title: string, start: string, end: string, more = '') =>
    create(`events create --title "${title}" --start-date "${start}" --end-date "${end}" ${more}`)
  await event('Market', '2026-11-21 08:00', '2026-11-21 14:00', '--categories 2')
  await event('Late session', '2026-11-21 22:30', '2026-11-22 02:00', '--categories 1 --venue 1')
  await event('Fair', '2026-11-20', '2026-11-22', '--all-day --categories 2')
  await event('Exhibition', '2026-11-05 10:00', '2026-11-23 19:00', '--venue 1')
  await event('日本語の音楽祭り 🎉', '2026-11-22 18:00', '2026-11-22 19:00', '--categories 1')
  await event('Rehearsal', '2026-11-22 20:00', '2026-11-22 20:00', '--status draft')
  await event('Carols', '2026-12-23 19:00', '2026-12-23 20:00', '--venue 1 --categories 1')
  seen.length = 0
  return { calctl, seen }
}
