import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, type AttackOutcome, onStage, type Stage } from './attack-stage.ts'
import { eventPath, killNowAndThen, type Post, readPosts } from './attacked-site.ts'
import { finishRun } from './attacking-shells.ts'
import { attackAsContributor } from './contributor.ts'

type Watched = 'title' | 'website' | 'excerpt'

/**
 * Two shells, an editor and the events API: each shell changes a field of its own through calctl, in single and bulk writes, and
 * creates events; the editor changes a third field meanwhile; answers are garbled, and calctl and the server are killed. At the
 * end every field has to be what its owner last set, nothing else may have changed, and no event may be there twice.
 */
export function attack(options: Attack): Promise<AttackOutcome> {
  const { rounds, size, faults, killsServer, wordpress = 'itself' } = options
  return onStage(options, false, async stage => {
    const model = await createModel(stage, size)
    stage.setFaults(faults)
    stage.setWordPress(wordpress)
    let isOver = false
    const meanwhile = [editRecords(stage, model, () => isOver)]
    if (killsServer) meanwhile.push(killNowAndThen(stage.site, stage.random, () => isOver))
    const [, , checkContributor] = await Promise.all([
      runShell(stage, model, 'first', 'website', rounds),
      runShell(stage, model, 'second', 'title', rounds),
      attackAsContributor(stage, 'third', rounds),
    ])
    isOver = true
    await Promise.all(meanwhile)
    const posts = await readPosts(stage.site)
    stage.problems.push(...(await compare(stage, model, posts, wordpress === 'itself')), ...checkContributor(posts))
    return { created: model.created.size, edits: model.edits, overwritten: model.overwritten }
  })
}

/** What every field of the site may be, and what must not change. */
interface Model {
  readonly ids: readonly number[]
  readonly posts: ReadonlyMap<number, Post>
  readonly events: ReadonlyMap<number, Readonly<Record<string, unknown>>>
  /** The values that a field of a record may have now: one, or several after a write that was not acknowledged. */
  readonly allowed: ReadonlyMap<number, Record<Watched, Set<string>>>
  /** Titles of events that were to be created, and whether calctl said that they were. */
  readonly created: Map<string, boolean>
  nextNumber(): number
  edits: number
  /** The websites that an update without `wp/v2` of the other machine sent back as they were before: see docs/promises.md. */
  overwritten: number
}

async function createModel({ site }: Stage, size: number): Promise<Model> {
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
  return {
    ids: [...posts.keys()],
    posts,
    events,
    allowed,
    created: new Map(),
    nextNumber: () => ++number,
    edits: 0,
    overwritten: 0,
  }
}

/** Runs random commands that change one field, or create events, and resumes what was interrupted. */
async function runShell(
  stage: Stage,
  model: Model,
  shell: string,
  field: 'website' | 'title',
  rounds: number,
): Promise<void> {
  const { random, folder } = stage
  const { ids, allowed, created } = model
  const write = (name: string, lines: readonly string[]) => {
    const file = join(folder, `${name}.csv`)
    writeFileSync(file, `${lines.join('\n')}\n`)
    return file
  }
  const kinds = ['single', 'several', 'sheet', 'create', 'creates'] as const
  for (let round = 0; round < rounds; round++) {
    const name = `${field}-${model.nextNumber()}`
    const value = field === 'website' ? `https://example.org/${name}` : name
    const kind = kinds[Math.floor(random() * kinds.length)] ?? 'single'
    if (kind === 'create' || kind === 'creates') {
      const titles = Array.from({ length: kind === 'create' ? 1 : 12 }, (_, row) => `New ${row} ${name}`)
      for (const title of titles) created.set(title, false)
      const times = { start: '2027-06-06 10:00', end: '2027-06-06 11:00' }
      const rows = titles.map(title => `events,${title},${times.start},${times.end},publish`)
      const words =
        kind === 'create'
          ? ['events', 'create', '--title', titles[0] ?? '', '--start-date', times.start, '--end-date', times.end]
          : ['apply', write(name, ['resource,title,start_date,end_date,status', ...rows])]
      const isDone = await finishRun(stage, shell, words)
      for (const title of titles) created.set(title, isDone)
      continue
    }
    const some = ids.filter(() => random() < (kind === 'several' ? 0.1 : 0.5))
    const chosen = kind === 'single' || some.length === 0 ? ids.slice(0, 1) : some
    const words =
      kind === 'sheet'
        ? ['apply', write(name, [`resource,id,${field}`, ...chosen.map(id => `events,${id},${value}`)])]
        : ['events', 'update', ...chosen.map(String), `--${field}`, value]
    for (const id of chosen) allowed.get(id)?.[field].add(value)
    const isDone = await finishRun(stage, shell, words)
    if (isDone) for (const id of chosen) acknowledge(model, id, field, value)
  }
}

function acknowledge({ allowed }: Model, id: number, field: Watched, value: string): void {
  const record = allowed.get(id)
  if (record) record[field] = new Set([value])
}

/** Somebody who changes excerpts in the browser. */
async function editRecords({ site, random }: Stage, model: Model, isOver: () => boolean): Promise<void> {
  const { ids, posts, allowed, nextNumber } = model
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
      if (status !== 200) continue
      model.edits += 1
      acknowledge(model, id, 'excerpt', excerpt)
    } catch {
      // The server was killed: the edit may have been saved or not.
    }
  }
}

async function compare({ site }: Stage, model: Model, all: readonly Post[], hasWordPress: boolean): Promise<string[]> {
  const { ids, posts, events, allowed, created } = model
  const problems: string[] = []
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
      if (values.has(current[field])) continue
      if (field === 'website' && !hasWordPress) model.overwritten += 1
      else problems.push(`${field} of ${id} is ${current[field]}, not ${[...values]}`)
    }
    // Without `wp/v2` nobody can tell how a cost is stored: it counts as it is shown.
    const others = ({ slug, status, date, content, meta: { _EventURL, _EventCost, ...meta } }: Post) =>
      JSON.stringify({ slug, status, date, content: content.raw, meta, ...(hasWordPress && { _EventCost }) })
    if (others(post) !== others(before))
      problems.push(`event ${id} changed from ${others(before)} to ${others(post)} without being asked`)
    const event = (await site.request('GET', `${eventPath}/${id}`)).body as Record<string, unknown>
    for (const field of ['sticky', 'featured', 'hide_from_listings', 'start_date', 'end_date', 'timezone', 'cost'])
      if (event[field] !== events.get(id)?.[field]) problems.push(`${field} of ${id} changed without being asked`)
  }
  for (const [title, isDone] of created) {
    const count = all.filter(post => post.title.raw === title).length
    if (count > 1) problems.push(`${count} events have the title ${title}`)
    if (count === 0 && isDone) problems.push(`the event ${title} is missing`)
  }
  return problems
}
