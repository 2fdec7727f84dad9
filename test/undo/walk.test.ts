import { expect, test } from 'vitest'
import { mulberry32 } from '../soak/random.ts'
import { productionSite } from '../support/production-site.ts'
import { testTime } from '../support/world.ts'

/** `npm run soak` sets much more. */
const walks = Number(process.env.SOAK_ROUNDS ?? 2)

const posts = { events: 'tribe_events', venues: 'tribe_venue', organizers: 'tribe_organizer' } as const
const terms = { categories: 'tribe_events_cat', tags: 'tags' } as const

type Row = Readonly<Record<string, unknown>>
/** What a site has, a text for each record; terms by their names, because they come back with new IDs. */
type State = ReadonlyMap<string, string>

/** A site with records of all kinds that use one another. */
async function siteWithRecords(random: () => number, now?: () => Date) {
  const site = await productionSite(now ? { now } : {})
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const headers = { authorization: `Basic ${Buffer.from('admin:secret').toString('base64')}` }
  const list = async (path: string): Promise<Row[]> => {
    const answer = await fetch(`${site.baseUrl}/wp/v2/${path}&context=edit&per_page=100`, { headers })
    return (await answer.json()) as Row[]
  }
  const idsIn = async (path: string): Promise<number[]> => (await list(path)).map(({ id }) => Number(id))
  const commands = [
    ...['Jazz', 'Rock', 'Folk', 'Pop'].map(name => `tags create --name ${name}`),
    ...['Music', 'Art', 'Opera --parent 5', 'Solo --parent 7'].map(name => `categories create --name ${name}`),
    ...['Hall', 'Barn', 'Park'].map((name, row) => `venues create --venue ${name} --slug v${row} --phone ${row}`),
    ...['Club', 'Band', 'Choir'].map(name => `organizers create --organizer ${name}`),
  ]
  for (const command of commands) await site.json(`${command} --json`)
  const [venues, organizers] = [await idsIn('tribe_venue?'), await idsIn('tribe_organizer?')]
  const kinds = ['', '--status draft', '--status private', '--cost 12,50', '--description Text', '--featured --sticky']
  for (let day = 1; day <= 8; day++)
    await site.json(
      `events create --title E${day % 5} --start-date 2027-02-0${day}T10:00 --end-date 2027-02-0${day}T12:00 --tags ${pick([1, 2])},${pick([3, 4])} --categories ${pick([5, 6, 7, 8])} --venue ${pick(venues)} --organizer ${pick(organizers)} ${pick(kinds)} --json`,
    )
  return { ...site, pick, list, idsIn }
}

type Site = Awaited<ReturnType<typeof siteWithRecords>>

async function stateOf({ list }: Site): Promise<State> {
  const state = new Map<string, string>()
  const names = new Map<string, unknown>()
  const named = (taxonomy: string, ids: unknown) => [ids ?? []].flat().map(id => names.get(`${taxonomy} ${id}`) ?? id)
  for (const taxonomy of Object.values(terms))
    for (const { id, name } of await list(`${taxonomy}?hide_empty=false`)) names.set(`${taxonomy} ${id}`, name)
  for (const taxonomy of Object.values(terms))
    for (const { name, slug, description, parent } of await list(`${taxonomy}?hide_empty=false`))
      state.set(`${taxonomy} ${slug}`, JSON.stringify({ name, description, parent: named(taxonomy, parent) }))
  for (const type of Object.values(posts))
    for (const status of ['any', 'trash'])
      for (const post of await list(`${type}?status=${status}`)) {
        const { id, title, content, excerpt, slug, password, meta } = post
        const raw = [title, content, excerpt].map(text => (text as Row | undefined)?.raw)
        // The trash loses terms that are deleted, and the slug of a draft is made again when it is needed.
        const isPublic = status !== 'trash' && post.status !== 'draft' && post.status !== 'pending'
        const ofTerms =
          status === 'trash' ? [] : [named('tags', post.tags), named(terms.categories, post.tribe_events_cat)]
        const links = ofTerms.map(one => one.toSorted())
        state.set(
          `${type} ${id}`,
          JSON.stringify({
            status: post.status,
            raw,
            password,
            ...venueOnce(meta),
            links,
            ...(isPublic && { slug }),
          }),
        )
      }
  return state
}

/** A venue that was taken off and set again leaves a 0 before its ID: see `--clear venue`. */
const venueOnce = (meta: unknown): object => {
  const { _EventVenueID: venue, ...others } = (meta ?? {}) as Row
  return { ...others, venue: [venue ?? []].flat().filter(id => id !== 0) }
}

/** What differs; a record that is new may be in the trash. */
function differences(expected: State, actual: State): string[] {
  const keys = new Set([...expected.keys(), ...actual.keys()])
  const isTrash = (text?: string) => text === undefined || text.includes('"status":"trash"')
  return [...keys].flatMap(key => {
    const [then, now] = [expected.get(key), actual.get(key)]
    if (then === now || (then === undefined && isTrash(now))) return []
    return then === undefined || now === undefined ? [`${key} was ${then} and is ${now}`] : changesOf(key, then, now)
  })
}

function changesOf(key: string, then: string, now: string): string[] {
  const [before, after] = [then, now].map(
    text => new Map(Object.entries(JSON.parse(text)).map(([name, value]) => [name, JSON.stringify(value)])),
  )
  const names = [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])]
  return names.flatMap(name =>
    before?.get(name) === after?.get(name)
      ? []
      : [`${key}: ${name} was ${before?.get(name)} and is ${after?.get(name)}`],
  )
}

/** A command that changes something, or nothing if there is no record to change; what it does depends on what the site has. */
async function randomCommand({ pick, idsIn, file }: Site, number: number): Promise<string | undefined> {
  const name = `N${number}`
  const some = (ids: readonly number[]) => ids.toSorted(() => pick([-1, 1])).slice(0, pick([1, 2, 3]))
  const [events, venues, organizers] = [
    await idsIn('tribe_events?status=any'),
    await idsIn('tribe_venue?status=any'),
    await idsIn('tribe_organizer?status=any'),
  ]
  const [tags, categories] = [await idsIn('tags?'), await idsIn('tribe_events_cat?')]
  const live = { events, venues, organizers, categories, tags }
  // An event does not show its links to records in the trash, so that nothing brings them back when they are replaced.
  const areShown =
    (await idsIn('tribe_venue?status=trash')).length + (await idsIn('tribe_organizer?status=trash')).length === 0
  const resource = pick(['events', 'events', 'venues', 'organizers', 'categories', 'tags'] as const)
  const ids = some(live[resource]).join(' ')
  const event = some(events)
  const links = [
    `--tags ${some(tags).join(',')}`,
    `--categories ${some(categories).join(',')}`,
    ...(areShown ? [`--venue ${pick(venues)}`, `--organizer ${some(organizers).join(',')}`] : []),
  ]
  const trashed = some(await idsIn('tribe_events?status=trash')).join(' ')
  const sheet = () =>
    file(
      `${name}.csv`,
      `title,start_date,end_date,tags,categories,venue\n${name},2027-07-01 10:00,2027-07-01 11:00,"Jazz,${name}",Music,${name}\n`,
    )
  const change = {
    events: [
      '--title Gala',
      '--cost 7',
      '--clear cost',
      '--clear tags',
      ...(areShown ? ['--clear venue', '--clear organizer'] : []),
      '--status private',
      '--status draft',
      '--all-day',
      '--hide-from-listings',
      `--website https://example.org/${name}`,
      '--start-date 2027-04-01T10:00 --end-date 2027-04-01T12:00',
      ...links,
    ],
    venues: [`--venue ${name}`, `--phone ${number}`, '--description Text', '--status draft', '--clear phone'],
    organizers: [`--organizer ${name}`, `--phone ${number}`, '--description Text', '--status draft'],
    categories: [`--name ${name}`, '--description Text', `--parent ${pick(categories)}`, '--parent 0'],
    tags: [`--name ${name}`, '--description Text', `--slug s-${number}`],
  }[resource]
  const commands = [
    `${resource} update ${resource === 'categories' || resource === 'tags' ? ids.split(' ')[0] : ids} ${pick(change)}`,
    `${resource} delete ${ids}`,
    resource === 'events' && !areShown ? undefined : `${resource} merge ${ids} --max-trash 9`,
    trashed === '' ? undefined : `events restore ${trashed}`,
    `events create --title ${name} --start-date 2027-03-01T19:00 --end-date 2027-03-01T21:00 ${pick(links)} ${pick(links)}`,
    `events cancel ${event.join(' ')} --reason Rain`,
    `events postpone ${event.join(' ')}`,
    `events move ${event.join(' ')} 2027-05-0${pick([1, 2, 3])}`,
    `events duplicate ${event[0]} --to 2027-06-01`,
    `apply ${sheet()} --create-missing`,
  ]
  return pick(commands)
}

/** Runs commands without questions, and keeps what they said. */
function runnerOf({ calctl }: Site) {
  const said: string[] = []
  const run = async (command: string) => {
    const { status, err } = await calctl(`${command} --yes`)
    said.push(`${command} -> ${status} ${err}`)
    return status
  }
  return { run, said }
}

/** Carries out random commands until this many of them have changed something; the names of their runs, and the states between them. */
async function walk(site: Site, count: number, run: (command: string) => Promise<number>) {
  const runs = async () => (await site.calctl('runs list -o ids')).out.split('\n').filter(one => one)
  const names: string[] = []
  const states = [await stateOf(site)]
  for (let number = 1; names.length < count; number++) {
    const command = await randomCommand(site, number)
    const before = await runs()
    if (command !== undefined) await run(command)
    const added = (await runs()).filter(one => !before.includes(one))
    if (added.length === 0) continue
    names.push(...added)
    states.push(await stateOf(site))
  }
  return { names, states }
}

const seeds = Array.from({ length: walks }, (_, index) => index + 1)

test.each(seeds)(
  'changes of all kinds are undone, redone and undone again, one after another (seed %i)',
  async seed => {
    const site = await siteWithRecords(mulberry32(seed))
    const { run, said } = runnerOf(site)
    const { names, states } = await walk(site, 7, run)
    const back = names.map((name, index) => ({ command: `undo ${name}`, expected: states[index] })).toReversed()
    const again = names.map((name, index) => ({ command: `redo ${name}`, expected: states[index + 1] }))
    for (const { command, expected } of [...back, ...again, ...back]) {
      const status = await run(command)
      const found = differences(expected ?? new Map(), await stateOf(site))
      expect([command, status, found, said.slice(-40).join('')]).toEqual([command, 0, [], expect.anything()])
    }
  },
)

test.each(seeds)(
  'after a backup was restored, the undo of a later run changes nothing and says so (seed %i)',
  async seed => {
    let minutes = 0
    // Every request takes a minute, so that a record tells when it was saved.
    const site = await siteWithRecords(mulberry32(seed), () => new Date(testTime.getTime() + ++minutes * 60_000))
    const { run, said } = runnerOf(site)
    await walk(site, 2, run)
    const restore = site.backUp()
    const { names } = await walk(site, 6, run)
    await restore()
    // Other records get the IDs of those that are gone.
    for (const day of [1, 2, 3, 4])
      await run(`events create --title New${day} --start-date 2028-01-0${day}T10:00 --duration 1h --tags 4`)
    for (const name of ['New1', 'New2']) {
      await run(`venues create --venue ${name}`)
      await run(`organizers create --organizer ${name}`)
      await run(`tags create --name ${name}`)
      await run(`categories create --name ${name}`)
    }
    const before = await stateOf(site)
    for (const name of names.toReversed()) {
      const status = await run(`undo ${name}`)
      const found = differences(before, await stateOf(site))
      expect([name, found, said.slice(-20).join('')]).toEqual([name, [], expect.anything()])
      expect([4, 7], said.slice(-1).join('')).toContain(status)
    }
  },
)
