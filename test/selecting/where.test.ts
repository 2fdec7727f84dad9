import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'

/** Six events, two venues with the same name in two towns, and a category. */
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
  await create('Contes', '2026-12-09', '--venue 2 --cost Free')
  await create('Festa', '2026-10-03', '--venue 2')
  return calctl
}

/** The same for tests that only read it. */
const read = { documented: await season(), quirks: await season({ quirks: true }) }

type Calctl = Awaited<ReturnType<typeof season>>

async function titles(calctl: Calctl, options: readonly string[]): Promise<string> {
  const { status, out, err } = await calctl(['events', 'list', '--json', '--plain', '--fields', 'title', ...options])
  return status === 0 ? (JSON.parse(out) as { title: string }[]).map(({ title }) => title).join(', ') : err
}

const where = (...conditions: string[]) => conditions.flatMap(condition => ['--where', condition])

const answers: [conditions: string[], titles: string][] = [
  [['venue=Teatre Principal'], 'Concert de jazz, Òpera'],
  [['venue=sala-gran'], 'Cinema, Contes'],
  [['venue=2'], 'Cinema, Contes'],
  [['venue!=Teatre Principal'], 'Cinema, Taller & tast, Contes'],
  [['venue=none'], 'Taller & tast'],
  [['venue.city=girona', 'cost!=none'], 'Concert de jazz, Òpera, Cinema, Contes'],
  [['venue~sala'], 'Cinema, Contes'],
  [['cost>15'], 'Òpera'],
  [['title~jazz and cost>10'], 'Concert de jazz'],
  [['venue = sala-gran AND cost = 5 && featured=no'], 'Cinema'],
  [['venue=sala-gran i cost=5'], 'Cinema'],
  [['title~taller & tast'], 'Taller & tast'],
  [['title~"jazz and cost>10"'], ''],
  [['cost >= 15'], 'Concert de jazz, Òpera'],
  [['cost=5'], 'Cinema'],
  [['cost=none'], 'Taller & tast'],
  [['cost=0'], 'Contes'],
  [['cost<10'], 'Cinema, Contes'],
  [['title~JAZZ'], 'Concert de jazz'],
  [['title=opera'], 'Òpera'],
  [['title~taller & tast'], 'Taller & tast'],
  [['title!~er'], 'Cinema, Contes'],
  [['website!=none'], 'Cinema'],
  [['image=none', 'featured=true'], 'Òpera'],
  [['featured=yes'], 'Òpera'],
  [['featured=no', 'venue=1'], 'Concert de jazz'],
  [['categories=Música en viu'], 'Concert de jazz'],
  [['categories=none', 'venue=1'], 'Òpera'],
  [['start_date>=7 desembre'], 'Cinema, Taller & tast, Contes'],
  [['start_date<2026-11-01'], 'Festa'],
  [['start_date>=19:00', 'venue=2'], 'Cinema, Contes'],
  [['start-date=2026-12-06'], 'Òpera'],
  [['start_date>2026-12-07', 'end_date<=21h'], 'Taller & tast, Contes'],
  [['start_date<=2026-12-05 19:00', 'start_date>today'], 'Concert de jazz'],
  [['id>7'], ''],
  [['modified>=today', 'title~cinema'], 'Cinema'],
]

test.each(answers)('--where %s selects what it says', async (conditions, expected) => {
  for (const calctl of Object.values(read)) expect(await titles(calctl, where(...conditions))).toBe(expected)
})

test.each([
  [['--sort', 'cost'], 'Contes, Cinema, Concert de jazz, Òpera, Taller & tast'],
  [['--sort', '-cost'], 'Òpera, Concert de jazz, Cinema, Contes, Taller & tast'],
  [['--sort', 'cost:desc'], 'Òpera, Concert de jazz, Cinema, Contes, Taller & tast'],
  [['--sort', 'venue,start_date:desc'], 'Contes, Cinema, Òpera, Concert de jazz, Taller & tast'],
  [['--sort', 'title', '--limit', '2'], 'Cinema, Concert de jazz'],
  [['--sort', 'title:desc', ...where('cost!=none')], 'Òpera, Contes, Concert de jazz, Cinema'],
])('%s sorts, with what has no value at the end', async (options, expected) => {
  expect(await titles(read.documented, options)).toBe(expected)
})

test.each([
  [where('imgae=none'), '--where "imgae=none": events have no field "imgae"', 'did you mean image?'],
  [where('title>5'), '--where "title>5": title has no order', 'use = or !='],
  [where('cost>many'), '--where "cost>many": expected a number, got "many"', "for example: 'cost>20'"],
  [where('featured=perhaps'), '--where "featured=perhaps": expected true or false', "for example: 'featured=true'"],
  [where('start_date=31/2/2026'), 'expected a day that exists (February 2026 has 28 days)', 'for example'],
  [where('title'), '--where "title": expected a field, a comparison and a value', "for example: 'cost>20'"],
  [['--sort', ''], '--sort: expected a field, got ""', 'for example: --sort cost'],
  [
    where('title~jazz or cost>10'),
    '--where "title~jazz or cost>10": conditions cannot be joined by "or", because all of them must hold',
    'run the command once for each of them',
  ],
  [where('title~jazz and csot>10'), '--where "csot>10": events have no field "csot"', 'did you mean cost?'],
  [['--sort', 'titel'], '--sort titel: events have no field "titel"', 'did you mean title?'],
  [['--where', 'image=none', '--page', '2'], '--where and --page cannot be used together', 'leave one of them out'],
])('%s is refused', async (options, message, hint) => {
  const { status, err } = await read.documented(['events', 'list', ...options])
  expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(message) })
  expect(err).toContain(`hint: ${hint}`)
})

test('filters take names, and refuse those that several records have, with the candidates', async () => {
  const calctl = await season()
  expect(await titles(calctl, ['--venue', 'teatre principal'])).toBe('Concert de jazz, Òpera')
  expect(await titles(calctl, ['--venue', '"Sala Gran",1'])).toBe('Concert de jazz, Òpera, Cinema, Contes')
  await calctl('venues create --venue "Sala Gran" --city Olot --if-exists create')
  const { status, err } = await calctl('events list --venue "Sala Gran"')
  expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining('2 venues are called "Sala Gran": ') })
  expect(await calctl('events list --venue "Sala Grn"')).toMatchObject({
    status: 2,
    err: expect.stringContaining('2 venues are called "Sala Gran": '),
  })
})

test('a filter finds the only venue that other words can mean, and says so, but refuses words that several can mean', async () => {
  const calctl = await season()
  const { status, out, err } = await calctl(['events', 'list', '--venue', 'principal', '-o', 'ids'])
  expect([status, out.split('\n').length - 1, err]).toEqual([0, 2, '"principal" is taken for "Teatre Principal" (1)\n'])
  expect((await calctl(['events', 'list', ...where('venue=principal'), '-o', 'ids'])).out).toBe(out)
  expect(await calctl('events list --venue Sala')).toMatchObject({ status: 0 })
  await calctl('venues create --venue "Sala Petita"')
  expect(await calctl('events list --venue Sala')).toMatchObject({ status: 4, out: '' })
  // A venue that is changed is named exactly.
  expect((await calctl('venues update principal --phone 1')).status).toBe(4)
})

test('a list with plain filters takes one request, and one by days on given dates as well', async () => {
  const seen: string[] = []
  const calctl = await season({ seen })
  for (const options of ['', '--venue 1', '--on 2026-12-05', '--starts-after 2026-12-01']) {
    seen.length = 0
    await calctl(`events list ${options}`)
    expect(seen).toHaveLength(1)
  }
})

test('--where says which fields there are for a name that is none', async () => {
  const calctl = read.documented
  for (const name of ['__proto__', 'constructor.name', 'venue.toString'])
    expect((await calctl(['events', 'list', ...where(`${name}=1`)])).err, name).toContain(
      `have no field "${name.toLowerCase()}"`,
    )
  expect((await calctl(['events', 'list', ...where('password=x')])).err).not.toContain('did you mean password')
})

test('an ID that no record has is named, whatever the site says of it', async () => {
  for (const calctl of Object.values(read)) {
    for (const [option, what, list] of [
      [['--where', 'categories=99999'], 'no category 99999', 'calctl categories list'],
      [['--venue', '99999'], 'no venue 99999', 'calctl venues list'],
      [['--tags', 'no-such-tag'], 'no tag no-such-tag', 'calctl tags list'],
      [
        ['--venue', '99998,99999'],
        'not all of these venues exist',
        ': 99998, 99999\nhint: list venues with: calctl venues',
      ],
    ] as const) {
      const { status, err } = await calctl(['events', 'list', ...option])
      expect({ option, status }).toEqual({ option, status: 4 })
      expect(err).toContain(`error: ${what} `)
      expect(err).toContain(list)
    }
  }
})
