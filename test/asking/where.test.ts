import { expect, test } from 'vitest'
import { calendar } from '../calendar.ts'

/** Five events, two venues with the same name in two towns, and a category. */
async function season(shape: Parameters<typeof calendar>[0] = {}) {
  const calctl = calendar(shape)
  await calctl('venues create --venue "Teatre Principal" --city Girona')
  await calctl('venues create --venue "Sala Gran" --city Girona')
  await calctl('categories create --name "Música en viu"')
  const create = (title: string, day: string, more = '') =>
    calctl(`events create --title "${title}" --start-date "${day} 19:00" --end-date "${day} 21:00" ${more}`)
  await create('Concert de jazz', '2026-12-05', '--venue 1 --categories "Música en viu" --cost "15 €"')
  await create('Òpera', '2026-12-06', '--venue 1 --cost "25" --featured')
  await create('Cinema', '2026-12-07', '--venue 2 --cost "5" --website https://example.org/')
  await create('Taller & tast', '2026-12-08')
  await create('Festa', '2026-10-03', '--venue 2')
  return calctl
}

type Calctl = Awaited<ReturnType<typeof season>>

async function titles(calctl: Calctl, options: readonly string[]): Promise<string> {
  const { status, out, err } = await calctl(['events', 'list', '--json', '--plain', '--fields', 'title', ...options])
  return status === 0 ? (JSON.parse(out) as { title: string }[]).map(({ title }) => title).join(', ') : err
}

const where = (...conditions: string[]) => conditions.flatMap(condition => ['--where', condition])

const answers: [conditions: string[], titles: string][] = [
  [['venue=Teatre Principal'], 'Concert de jazz, Òpera'],
  [['venue=sala-gran'], 'Cinema'],
  [['venue=2'], 'Cinema'],
  [['venue!=Teatre Principal'], 'Cinema, Taller & tast'],
  [['venue=none'], 'Taller & tast'],
  [['venue.city=girona', 'cost!=none'], 'Concert de jazz, Òpera, Cinema'],
  [['venue~sala'], 'Cinema'],
  [['cost>15'], 'Òpera'],
  [['cost >= 15'], 'Concert de jazz, Òpera'],
  [['cost=5'], 'Cinema'],
  [['cost=none'], 'Taller & tast'],
  [['title~JAZZ'], 'Concert de jazz'],
  [['title=opera'], 'Òpera'],
  [['title~taller & tast'], 'Taller & tast'],
  [['title!~er'], 'Cinema'],
  [['website!=none'], 'Cinema'],
  [['image=none', 'featured=true'], 'Òpera'],
  [['categories=Música en viu'], 'Concert de jazz'],
  [['categories=none', 'venue=1'], 'Òpera'],
  [['start_date>=7 desembre'], 'Cinema, Taller & tast'],
  [['start_date<2026-11-01'], 'Festa'],
  [['start-date=2026-12-06'], 'Òpera'],
  [['start_date>2026-12-07', 'end_date<=21h'], 'Taller & tast'],
  [['start_date<=2026-12-05 19:00', 'start_date>today'], 'Concert de jazz'],
  [['id>7'], ''],
  [['modified>=today', 'title~cinema'], 'Cinema'],
]

test.each(answers)('--where %s selects what it says', async (conditions, expected) => {
  for (const shape of [{}, { quirks: true }])
    expect(await titles(await season(shape), where(...conditions))).toBe(expected)
})
