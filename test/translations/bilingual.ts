import { calendarWithFiles } from '../support/calendar-with-files.ts'

const when = { start_date: '2026-12-05 19:00:00', end_date: '2026-12-05 21:00:00' }

/** A concert in Catalan (2) and in Spanish (3), with descriptions in HTML. */
export async function bilingual(options: Parameters<typeof calendarWithFiles>[0] = {}, texts: object = {}) {
  const setup = calendarWithFiles(options)
  const { calctl, file } = setup
  const concert = { resource: 'events', slug: 'concert', title: 'Concert', ...when }
  const records = [
    { resource: 'venues', lang_code: 'ca', venue: 'Teatre Principal' },
    {
      ...concert,
      lang_code: 'ca',
      venue: 'Teatre Principal',
      description: '<p>Música <b>en viu</b> & més.</p>',
      excerpt: 'Música',
      ...texts,
    },
    { ...concert, lang_code: 'es', description: '<p>Música.</p>', cost: '12' },
  ]
  await calctl(['apply', '--yes', file('town.ndjson', records.map(record => JSON.stringify(record)).join('\n'))])
  return {
    ...setup,
    spanish: async () => JSON.parse((await calctl('events get 3 --lang es --json')).out) as Record<string, unknown>,
  }
}
