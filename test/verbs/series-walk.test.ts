import { expect, test } from 'vitest'
import { mulberry32 } from '../soak/random.ts'
import { productionSite } from '../support/production-site.ts'

/** `npm run soak` sets much more. */
const walks = Number(process.env.SOAK_ROUNDS ?? 1)
const steps = 12

interface Post {
  readonly id: number
  readonly status: string
  readonly slug: string
  readonly title: { readonly raw: string }
  readonly meta: Readonly<Record<string, unknown>>
}

/** A text for each event; those in the trash have no others. */
type State = ReadonlyMap<number, string>

async function siteWithEvents(random: () => number) {
  const site = await productionSite()
  const headers = { authorization: `Basic ${Buffer.from('admin:secret').toString('base64')}` }
  const events = async (): Promise<Post[]> => {
    const answer = await fetch(`${site.baseUrl}/wp/v2/tribe_events?status=any&context=edit&per_page=100`, { headers })
    return (await answer.json()) as Post[]
  }
  const state = async (): Promise<State> =>
    new Map(
      (await events()).map(({ id, status, slug, title, meta }) => [
        id,
        // The slug of a draft is made again when it is needed.
        JSON.stringify({ status, title: title.raw, meta, ...(status === 'publish' && { slug }) }),
      ]),
    )
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  await site.json('venues create --venue Hall --json')
  return { ...site, pick, events, state }
}

const startOf = ({ meta }: Post): string => String(meta._EventStartDate)

/** The events that a change of the series of one concerns. */
function concerned(scope: string, named: Post, posts: readonly Post[], series: readonly number[]): number[] {
  if (scope === '') return [named.id]
  const of = posts.filter(({ id }) => series.includes(id))
  if (of.length < 2) return []
  return of.flatMap(post => (scope === '--series' || startOf(post) >= startOf(named) ? post.id : []))
}

const changed = (before: State, after: State): number[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(id => before.get(id) !== after.get(id))

test.each(Array.from({ length: walks }, (_, index) => index + 1))(
  'series are changed as a whole, in part and one by one, and each undo and redo is exact (seed %i)',
  async seed => {
    const site = await siteWithEvents(mulberry32(seed))
    const { pick } = site
    const said: string[] = []
    const run = async (command: string) => {
      const { status, err } = await site.calctl(`${command} --yes`)
      said.push(`${command} -> ${status} ${err}`)
      return { status, name: /undo (\w+)$/m.exec(err)?.[1] }
    }
    const series: number[][] = []
    const done: { name: string; before: State; after: State }[] = []
    const undone: typeof done = []
    const create = async (number: number) => {
      const before = await site.state()
      const rule = pick(['FREQ=WEEKLY;COUNT=4', 'FREQ=DAILY;INTERVAL=3;COUNT=3', 'FREQ=WEEKLY;BYDAY=TU,TH;COUNT=5'])
      const { status, name = '' } = await run(
        `events create --title S${number} --start-date 2027-02-02T18:00 --duration 1h --repeat ${rule} ${pick(['', '--venue Hall', `--slug s${number}`])}`,
      )
      expect([status, said.at(-1)]).toEqual([0, expect.anything()])
      const after = await site.state()
      series.push(changed(before, after))
      done.push({ name, before, after })
      undone.length = 0
    }
    const change = async (number: number) => {
      const posts = await site.events()
      const named = posts.length > 0 ? pick(posts) : undefined
      if (!named) return create(number)
      const before = await site.state()
      const scope = pick(['--series', '--series', '--from-here', '--from-here', ''])
      const verb = pick(['update', 'update', 'move', 'move', 'cancel', 'uncancel', 'unpublish', 'publish', 'delete'])
      const more = {
        update: pick([`--title T${number}`, '--cost 7', '--clear cost', '--shift +1h']),
        move: pick(['2027-03-0', '2027-02-1', '19:0']) + pick([1, 2, 3]),
        cancel: `--reason N${number}`,
      }[verb]
      const expected = concerned(scope, named, posts, series.find(ids => ids.includes(named.id)) ?? [])
      const line = ['events', verb, named.id, more, scope].filter(part => part !== undefined && part !== '').join(' ')
      const { status, name } = await run(line)
      const after = await site.state()
      const touched = changed(before, after)
      expect([touched.filter(id => !expected.includes(id)), said.at(-1)]).toEqual([[], expect.anything()])
      if (/title|delete|reason/.test(line)) expect([touched, said.at(-1)]).toEqual([expected, expect.anything()])
      expect([status, said.at(-1)]).toEqual([expected.length === 0 ? 2 : 0, expect.anything()])
      if (touched.length > 0 && name !== undefined) {
        done.push({ name, before, after })
        undone.length = 0
      }
    }
    await create(0)
    for (let number = 1; number <= steps; number++) {
      const action = pick(['create', 'change', 'change', 'change', 'undo', 'undo', 'redo'])
      const [from, to, then] =
        action === 'undo' ? ([done, undone, 'before'] as const) : ([undone, done, 'after'] as const)
      const last = action === 'undo' || action === 'redo' ? from.pop() : undefined
      if (!last) {
        await (action === 'create' ? create(number) : change(number))
        continue
      }
      const { status } = await run(`${action} ${last.name}`)
      expect([status, changed(last[then], await site.state()), said.slice(-20).join('')]).toEqual([
        0,
        [],
        expect.anything(),
      ])
      to.push(last)
    }
  },
)
