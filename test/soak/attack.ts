import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { countJournals, createShells, eventPath, type Shells, type Site, startSite } from './attacked-site.ts'
import { bundle } from './bundle.ts'
import { startGarblingProxy } from './garbling-proxy.ts'
import { mulberry32 } from './random.ts'

/** How long and how hard calctl is attacked. */
export interface Attack {
  readonly folder: string
  readonly seed: number
  /** Commands of each of the two shells. */
  readonly rounds: number
  /** The number of events at the start. */
  readonly size: number
  /** The share of writes whose request or answer goes wrong on the way. */
  readonly faults: number
  /** Kill the server now and then. */
  readonly killsServer: boolean
}

export interface AttackOutcome {
  /** What was lost, doubled or changed without being asked, one sentence each. */
  readonly problems: readonly string[]
  readonly commands: number
  /** Commands that ended with 0. */
  readonly succeeded: number
  readonly kills: number
  readonly created: number
}

interface Post {
  readonly id: number
  readonly slug: string
  readonly status: string
  readonly date: string
  readonly title: { readonly raw: string }
  readonly content: { readonly raw: string }
  readonly excerpt: { readonly raw: string }
  readonly meta: Readonly<Record<string, unknown>>
}

type Watched = 'title' | 'website' | 'excerpt'

/**
 * Two shells, an editor and the events API: each shell changes a field of its own through calctl, in single and bulk writes, and
 * creates events; the editor changes a third field meanwhile; answers are garbled, and calctl and the server are killed. At the
 * end every field has to be what its owner last set, nothing else may have changed, and no event may be there twice.
 */
export async function attack(options: Attack): Promise<AttackOutcome> {
  const { folder, seed, rounds, size, faults, killsServer } = options
  const random = mulberry32(seed)
  const script = await bundle('calctl')
  const site = await startSite(script, folder)
  const proxy = await startGarblingProxy(() => site.port(), random)
  try {
    const shells = createShells(script, folder, proxy.port)
    const stage = await createStage(site, shells, { folder, random, size })
    proxy.rate = faults
    let isOver = false
    const meanwhile = [editRecords(stage, () => isOver), ...(killsServer ? [killServer(stage, () => isOver)] : [])]
    await Promise.all([runShell(stage, 'first', 'website', rounds), runShell(stage, 'second', 'title', rounds)])
    isOver = true
    await Promise.all(meanwhile)
    const problems = [...stage.problems, ...(await compare(stage))]
    return {
      problems,
      commands: shells.commands,
      succeeded: shells.succeeded,
      kills: shells.kills,
      created: stage.created.size,
    }
  } finally {
    proxy.close()
    await site.stop()
  }
}

/** What is known about the attacked site: what every field may be, and what must not change. */
interface Stage {
  readonly site: Site
  readonly folder: string
  readonly random: () => number
  readonly ids: readonly number[]
  readonly posts: ReadonlyMap<number, Post>
  readonly events: ReadonlyMap<number, Readonly<Record<string, unknown>>>
  /** The values that a field of a record may have now: one, or several after a write that was not acknowledged. */
  readonly allowed: ReadonlyMap<number, Record<Watched, Set<string>>>
  /** Titles of events that were to be created, and whether calctl said that they were. */
  readonly created: Map<string, boolean>
  readonly problems: string[]
  calctl: Shells['calctl']
  nextNumber(): number
}

async function createStage(
  site: Site,
  shells: Shells,
  { folder, random, size }: Pick<Attack, 'folder' | 'size'> & { random: () => number },
): Promise<Stage> {
  const costs = ['', '12,50', '20', '0', '1.000 €']
  const posts = new Map<number, Post>()
  const events = new Map<number, Record<string, unknown>>()
  const allowed = new Map<number, Record<Watched, Set<string>>>()
  for (let number = 1; number <= size; number++) {
    const day = `2027-0${(number % 9) + 1}-${10 + (number % 18)}`
    const values = {
      title: `Event ${number}`,
      start_date: `${day} 19:00:00`,
      end_date: `${day} 21:00:00`,
      status: 'publish',
      description: `<!-- wp:paragraph --><p>Text ${number}</p><!-- /wp:paragraph -->`,
      excerpt: `Short ${number}`,
      website: `https://example.org/0/${number}`,
      cost: costs[number % costs.length],
      sticky: number % 3 === 0,
      featured: number % 4 === 0,
    }
    const { body } = await site.request('POST', eventPath, values)
    const { id } = body as { id: number }
    posts.set(id, (await site.request('GET', `/wp/v2/tribe_events/${id}?context=edit`)).body as Post)
    events.set(id, (await site.request('GET', `${eventPath}/${id}`)).body as Record<string, unknown>)
    allowed.set(id, {
      title: new Set([values.title]),
      website: new Set([values.website]),
      excerpt: new Set([values.excerpt]),
    })
  }
  let number = 0
  const stage: Stage = {
    site,
    folder,
    random,
    ids: [...posts.keys()],
    posts,
    events,
    allowed,
    created: new Map(),
    problems: shells.problems,
    nextNumber: () => ++number,
    calctl: shells.calctl,
  }
  return stage
}

/** Runs random commands that change one field, or create events, and resumes what was interrupted. */
async function runShell(stage: Stage, shell: string, field: 'website' | 'title', rounds: number): Promise<void> {
  const { random, ids, folder } = stage
  const write = (name: string, lines: readonly string[]) => {
    const file = join(folder, `${name}.csv`)
    writeFileSync(file, `${lines.join('\n')}\n`)
    return file
  }
  const maybeKilled = () => (random() < 0.5 ? 200 + random() * 1500 : undefined)
  const apply = async (words: readonly string[], killAfter?: number): Promise<boolean> => {
    const before = countJournals(folder, shell)
    if ((await stage.calctl(shell, words, killAfter)).status === 0) return true
    if (countJournals(folder, shell) === before) return false
    for (let attempt = 0; attempt < 12; attempt++)
      if ((await stage.calctl(shell, ['runs', 'resume'])).status === 0) return true
    return false
  }
  const kinds = ['single', 'several', 'sheet', 'create', 'creates'] as const
  for (let round = 0; round < rounds; round++) {
    const name = `${field}-${stage.nextNumber()}`
    const value = field === 'website' ? `https://example.org/${name}` : name
    const kind = kinds[Math.floor(random() * kinds.length)] ?? 'single'
    if (kind === 'create' || kind === 'creates') {
      const titles = Array.from({ length: kind === 'create' ? 1 : 12 }, (_, row) => `New ${row} ${name}`)
      for (const title of titles) stage.created.set(title, false)
      const times = { start: '2027-06-06 10:00', end: '2027-06-06 11:00' }
      const rows = titles.map(title => `events,${title},${times.start},${times.end},publish`)
      const words =
        kind === 'create'
          ? ['events', 'create', '--title', titles[0] ?? '', '--start-date', times.start, '--end-date', times.end]
          : ['apply', write(name, ['resource,title,start_date,end_date,status', ...rows])]
      const isDone = await apply(words, maybeKilled())
      for (const title of titles) stage.created.set(title, isDone)
      continue
    }
    const some = ids.filter(() => random() < (kind === 'several' ? 0.1 : 0.5))
    const chosen = kind === 'single' || some.length === 0 ? ids.slice(0, 1) : some
    const words =
      kind === 'sheet'
        ? ['apply', write(name, [`resource,id,${field}`, ...chosen.map(id => `events,${id},${value}`)])]
        : ['events', 'update', ...chosen.map(String), `--${field}`, value]
    for (const id of chosen) stage.allowed.get(id)?.[field].add(value)
    const isDone = await apply(words, maybeKilled())
    if (isDone) for (const id of chosen) acknowledge(stage, id, field, value)
  }
}

function acknowledge({ allowed }: Stage, id: number, field: Watched, value: string): void {
  const record = allowed.get(id)
  if (record) record[field] = new Set([value])
}

/** Somebody who changes excerpts in the browser. */
async function editRecords(stage: Stage, isOver: () => boolean): Promise<void> {
  const { site, random, ids, posts, allowed, nextNumber } = stage
  while (!isOver()) {
    await sleep(100 + random() * 300)
    const id = ids[Math.floor(random() * ids.length)] ?? 0
    const excerpt = `Edited ${nextNumber()}`
    const cost = posts.get(id)?.meta._EventCost
    allowed.get(id)?.excerpt.add(excerpt)
    try {
      const { status } = await site.request('POST', `/wp/v2/tribe_events/${id}`, {
        excerpt,
        meta: { _EventCost: cost },
      })
      if (status === 200) acknowledge(stage, id, 'excerpt', excerpt)
    } catch {
      // The server was killed: the edit may have been saved or not.
    }
  }
}

async function killServer({ site, random }: Stage, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await sleep(3000 + random() * 6000)
    if (!isOver()) await site.kill()
  }
}

async function compare({ site, ids, posts, events, allowed, created }: Stage): Promise<string[]> {
  const problems: string[] = []
  const all: Post[] = []
  for (let page = 1; ; page++) {
    const query = `status=any&context=edit&per_page=100&page=${page}`
    const { body } = await site.request('GET', `/wp/v2/tribe_events?${query}`)
    if (!Array.isArray(body)) break
    all.push(...body)
    if (body.length < 100) break
  }
  for (const id of ids) {
    const post = all.find(post => post.id === id)
    const before = posts.get(id)
    if (!post || !before) {
      problems.push(`event ${id} is gone`)
      continue
    }
    const current = { title: post.title.raw, website: String(post.meta._EventURL), excerpt: post.excerpt.raw }
    for (const field of ['title', 'website', 'excerpt'] as const) {
      const values = allowed.get(id)?.[field] ?? new Set()
      if (!values.has(current[field])) problems.push(`${field} of ${id} is ${current[field]}, not ${[...values]}`)
    }
    const others = ({ slug, status, date, content, meta: { _EventURL, ...meta } }: Post) =>
      JSON.stringify({ slug, status, date, content: content.raw, meta })
    if (others(post) !== others(before))
      problems.push(`event ${id} changed from ${others(before)} to ${others(post)} without being asked`)
    const event = (await site.request('GET', `${eventPath}/${id}`)).body as Record<string, unknown>
    for (const field of ['sticky', 'featured', 'hide_from_listings', 'start_date', 'end_date', 'timezone'])
      if (event[field] !== events.get(id)?.[field]) problems.push(`${field} of ${id} changed without being asked`)
  }
  for (const [title, isDone] of created) {
    const count = all.filter(post => post.title.raw === title).length
    if (count > 1) problems.push(`${count} events have the title ${title}`)
    if (count === 0 && isDone) problems.push(`the event ${title} is missing`)
  }
  return problems
}
