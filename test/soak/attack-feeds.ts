import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack, AttackOutcome } from './attack.ts'
import {
  countJournals,
  createShells,
  eventPath,
  namespace,
  type Shells,
  type Site,
  startSite,
} from './attacked-site.ts'
import { bundle } from './bundle.ts'
import { type ConfusingProxy, startConfusingProxy } from './confusing-proxy.ts'
import { startGarblingProxy } from './garbling-proxy.ts'
import { mulberry32 } from './random.ts'

interface FeedOutcome extends AttackOutcome {
  /** Edits that the site acknowledged. */
  readonly edits: number
  readonly confused: number
  readonly stale: number
}

interface FeedAttack extends Attack {
  /** What answers in place of WordPress's own API, from the second half on. */
  readonly wordpress: ConfusingProxy['wordpress']
}

/** An event of the feed; a series has four dates. */
interface FeedEvent {
  readonly uid: string
  readonly isSeries: boolean
  revision: number
  hour: number
}

interface Post {
  readonly id: number
  readonly slug: string
  readonly status: string
  readonly title: { readonly raw: string }
  readonly excerpt: { readonly raw: string }
  readonly meta: Readonly<Record<string, unknown>>
}

/** What an editor gave a record, if the site acknowledged it; several values if it may not have been saved. */
interface Edited {
  readonly excerpts: Set<string>
  readonly statuses: Set<string>
}

interface Stage {
  readonly folder: string
  readonly site: Site
  readonly shells: Shells
  readonly random: () => number
  readonly edited: Map<number, Edited>
  /** The events that are in no feed, and the websites that they may have. */
  readonly others: Map<number, Set<string>>
  readonly problems: string[]
  edits: number
}

/**
 * Two machines follow one feed, and change other events with `export`, a stream editor and `apply`, and with `events edit`. Both
 * apply each version of the feed at the same time, one of them now and then the version before; an editor changes excerpts and
 * statuses meanwhile, in the browser. Runs and the server are killed; answers are garbled, stale, short, or those to another
 * request. After each version the site has to have each date of it once, and nobody's change may be lost.
 */
export async function attackFeeds(options: FeedAttack): Promise<FeedOutcome> {
  const { folder, seed, rounds, size, faults, killsServer, wordpress } = options
  const random = mulberry32(seed)
  const script = await bundle('calctl')
  const site = await startSite(script, folder)
  const garbling = await startGarblingProxy(() => site.port(), random)
  const confusing = await startConfusingProxy(() => garbling.port, random, 2000)
  const setFaults = (rate: number) => {
    garbling.rate = rate
    confusing.rate = rate / 3
  }
  try {
    const shells = createShells(script, folder, confusing.port)
    const stage: Stage = { folder, site, shells, random, edited: new Map(), others: new Map(), problems: [], edits: 0 }
    // Without it, there would be nothing to prune among.
    await site.request('POST', `/${namespace}/categories`, { name: 'Town' })
    await createOthers(stage, size)
    const feed = Array.from({ length: size }, (_, number) => newEvent(number))
    let version = writeFeed(stage, feed, 0)
    for (let round = 1; round <= rounds; round++) {
      const before = version
      const dropped = changeFeed(feed, random, round)
      version = writeFeed(stage, feed, round)
      const prune = random() < 0.5 ? ['--prune', '--categories', 'town', '--max-trash', '999'] : []
      setFaults(faults)
      if (round > rounds / 2) confusing.wordpress = wordpress
      let isOver = false
      const meanwhile = [editRecords(stage, () => isOver)]
      if (killsServer) meanwhile.push(killServer(stage, () => isOver))
      const isLate = prune.length === 0 && random() < 0.3
      await Promise.all([
        applyFeed(stage, 'one', version, prune).then(() => changeOthers(stage, 'one', round)),
        applyFeed(stage, 'two', isLate ? before : version, prune),
      ])
      isOver = true
      await Promise.all(meanwhile)
      setFaults(0)
      await checkRound(stage, { version, prune, feed, dropped, round })
    }
    await checkEdits(stage)
    return {
      problems: [...shells.problems, ...stage.problems],
      commands: shells.commands,
      succeeded: shells.succeeded,
      kills: shells.kills,
      created: (await readPosts(site)).length,
      edits: stage.edits,
      confused: confusing.confused,
      stale: confusing.stale,
    }
  } finally {
    confusing.close()
    garbling.close()
    await site.stop()
  }
}

const newEvent = (number: number): FeedEvent => ({
  uid: `u${number}x`,
  isSeries: number % 5 === 0,
  revision: 1,
  hour: 10 + (number % 9),
})

/** Changes some events, drops one and adds one; returns the dropped one. */
function changeFeed(feed: FeedEvent[], random: () => number, round: number): FeedEvent | undefined {
  for (const event of feed) {
    if (random() < 0.3) event.revision += 1
    if (random() < 0.2) event.hour = 9 + Math.floor(random() * 12)
  }
  feed.push(newEvent(1000 + round))
  return random() < 0.5 ? feed.splice(Math.floor(random() * feed.length), 1)[0] : undefined
}

const titleOf = ({ uid, revision }: FeedEvent): string => `Fair ${uid} version ${revision}`

function writeFeed({ folder }: Stage, feed: readonly FeedEvent[], round: number): string {
  const lines = feed.flatMap((event, index) => {
    const day = `2027${String((index % 9) + 1).padStart(2, '0')}${String(10 + (index % 10)).padStart(2, '0')}`
    return [
      'BEGIN:VEVENT',
      `UID:${event.uid}@example.org`,
      `SEQUENCE:${event.revision}`,
      `SUMMARY:${titleOf(event)}`,
      `DESCRIPTION:Text of ${event.uid}\\, version ${event.revision}.\\n\\nSecond paragraph & <b>more</b>`,
      `DTSTART;TZID=Europe/Madrid:${day}T${event.hour < 10 ? '0' : ''}${event.hour}0000`,
      'DURATION:PT1H',
      ...(event.isSeries ? ['RRULE:FREQ=WEEKLY;COUNT=4'] : []),
      `LOCATION:Hall ${index % 3} & Bar`,
      'CATEGORIES:Town',
      'END:VEVENT',
    ]
  })
  const file = join(folder, `feed-${round}.ics`)
  writeFileSync(
    file,
    `${['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//x', ...lines, 'END:VCALENDAR'].join('\r\n')}\r\n`,
  )
  return file
}

const attempts = 12

/** Runs a command until it, or what resumes it, ends with 0. */
async function finish(
  { folder, shells, problems, random }: Stage,
  shell: string,
  words: readonly string[],
  given = {},
): Promise<boolean> {
  let mayResume = false
  for (let attempt = 0; attempt < attempts; attempt++) {
    const killAfter = random() < 0.4 ? 200 + random() * 2500 : undefined
    const before = countJournals(folder, shell)
    const command = mayResume && random() < 0.5 ? ['runs', 'resume'] : words
    const { status } = await shells.calctl(shell, command, attempt < attempts / 2 ? killAfter : undefined, given)
    if (status === 0 && command === words) return true
    mayResume = status !== 0 && (mayResume || countJournals(folder, shell) > before)
  }
  problems.push(`${shell}: ${words.join(' ')} did not end with 0 in ${attempts} attempts`)
  return false
}

const applyFeed = (stage: Stage, shell: string, file: string, prune: readonly string[]): Promise<boolean> =>
  finish(stage, shell, ['apply', file, '--create-missing', ...prune])

const statuses = ['publish', 'publish', 'draft', 'pending', 'private'] as const

async function createOthers({ site, others }: Stage, size: number): Promise<void> {
  for (let number = 1; number <= size; number++) {
    const { body } = await site.request('POST', eventPath, {
      title: `Other ${number}`,
      start_date: `2027-11-${10 + (number % 18)} 19:00:00`,
      end_date: `2027-11-${10 + (number % 18)} 21:00:00`,
      status: statuses[number % statuses.length],
      description: `<!-- wp:paragraph --><p>Text ${number}</p><!-- /wp:paragraph -->`,
      website: `https://example.org/${number}`,
      cost: ['', '12,50', '20', '0'][number % 4],
      ...(number % 4 === 0 && { hide_from_listings: true }),
      ...(number % 7 === 0 && { password: 'secret' }),
    })
    others.set((body as { id: number }).id, new Set([`https://example.org/${number}`]))
  }
}

/** Changes the websites of some events that are in no feed: with a list that is edited and applied, or in an editor. */
async function changeOthers(stage: Stage, shell: string, round: number): Promise<void> {
  const { shells, others, random } = stage
  const website = `https://example.org/${shell}-${round}`
  if (random() < 0.5) {
    const ids = [...others.keys()].filter(() => random() < 0.2).slice(0, 3)
    if (ids.length === 0) return
    for (const id of ids) others.get(id)?.add(website)
    const editor = `sed -i s,^website:.*,website:\\ ${website},`
    if (await finish(stage, shell, ['events', 'edit', ...ids.map(String)], { editor }))
      for (const id of ids) others.set(id, new Set([website]))
    return
  }
  const { status, out } = await shells.calctl(shell, ['events', 'list', '--all-dates', '--all', ...csvOf])
  if (status !== 0) return
  const lines = out.split('\n').filter(line => line.includes(',https://example.org/'))
  const ids = lines.map(line => Number(line.split(',')[0])).filter(id => others.has(id))
  const input = `id,website\n${ids.map(id => `${id},${website}`).join('\n')}\n`
  for (const id of ids) others.get(id)?.add(website)
  if (await finish(stage, shell, ['apply', '-', '--format', 'csv', '--resource', 'events'], { input }))
    for (const id of ids) others.set(id, new Set([website]))
}

const csvOf = ['-o', 'csv', '--fields', 'id,website']

/** Somebody who changes excerpts and statuses of all kinds of events in the browser. */
async function editRecords(stage: Stage, isOver: () => boolean): Promise<void> {
  const { site, random, edited } = stage
  for (let number = 1; !isOver(); number++) {
    await sleep(50 + random() * 200)
    try {
      const posts = (await readPosts(site)).filter(({ status }) => status !== 'trash')
      const post = posts[Math.floor(random() * posts.length)]
      if (!post) continue
      const excerpt = random() < 0.7 ? `Edited ${number} ${random()}` : undefined
      const status = pick(random)
      const change = excerpt === undefined ? { status } : { excerpt }
      const known = edited.get(post.id) ?? {
        excerpts: new Set([post.excerpt.raw]),
        statuses: new Set([post.status]),
      }
      edited.set(post.id, known)
      if (excerpt === undefined) known.statuses.add(status)
      else known.excerpts.add(excerpt)
      const answer = await site.request('POST', `/wp/v2/tribe_events/${post.id}`, {
        ...change,
        meta: { _EventCost: post.meta._EventCost },
      })
      if (answer.status !== 200) continue
      stage.edits += 1
      if (excerpt === undefined) edited.set(post.id, { ...known, statuses: new Set([status]) })
      else edited.set(post.id, { ...known, excerpts: new Set([excerpt]) })
    } catch {
      // The server was killed: the edit may have been saved or not.
    }
  }
}

const pick = (random: () => number) => statuses[Math.floor(random() * statuses.length)] ?? 'publish'

async function killServer({ site, random }: Stage, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await sleep(4000 + random() * 8000)
    if (!isOver()) await site.kill()
  }
}

interface Round {
  readonly version: string
  readonly prune: readonly string[]
  readonly feed: readonly FeedEvent[]
  readonly dropped: FeedEvent | undefined
  readonly round: number
}

/** Applies the version once more without faults; then the site has each of its dates once. */
async function checkRound(stage: Stage, { version, prune, feed, dropped, round }: Round): Promise<void> {
  const { shells, site, problems } = stage
  const words = [version, '--create-missing', ...prune]
  const applied = await shells.calctl('one', ['apply', ...words])
  if (applied.status !== 0) problems.push(`round ${round}: apply ended with ${applied.status}`)
  const differs = await shells.calctl('two', [
    'diff',
    ...words.filter(word => word !== '--max-trash' && word !== '999'),
  ])
  if (differs.status !== 0) problems.push(`round ${round}: diff ended with ${differs.status}: ${differs.out}`)
  const posts = (await readPosts(site)).filter(({ status }) => status !== 'trash')
  for (const event of feed) {
    const own = posts.filter(({ slug }) => slug.startsWith(`${event.uid}-example-org-`))
    if (own.length !== (event.isSeries ? 4 : 1))
      problems.push(
        `round ${round}: ${own.length} events of ${event.uid}: ${own.map(({ id, slug }) => `${id} ${slug}`)}`,
      )
    for (const { id, title } of own)
      if (title.raw !== titleOf(event)) problems.push(`round ${round}: ${id} has the title ${title.raw}`)
  }
  if (dropped && prune.length > 0 && posts.some(({ slug }) => slug.startsWith(`${dropped.uid}-example-org-`)))
    problems.push(`round ${round}: ${dropped.uid} was not trashed`)
}

/** Everything that the editor was acknowledged has to be there, also in the trash. */
async function checkEdits({ site, edited, others, problems }: Stage): Promise<void> {
  const posts = new Map((await readPosts(site)).map(post => [post.id, post]))
  for (const [id, { excerpts, statuses }] of edited) {
    const post = posts.get(id)
    if (!post) problems.push(`event ${id} is gone`)
    else if (!excerpts.has(post.excerpt.raw))
      problems.push(`excerpt of ${id} is ${post.excerpt.raw}, not ${[...excerpts]}`)
    else if (post.status !== 'trash' && !statuses.has(post.status))
      problems.push(`status of ${id} is ${post.status}, not ${[...statuses]}`)
  }
  for (const [id, websites] of others) {
    const post = posts.get(id)
    if (!post || post.status === 'trash') problems.push(`event ${id}, which is in no feed, is gone`)
    else if (!websites.has(String(post.meta._EventURL)))
      problems.push(`website of ${id} is ${post.meta._EventURL}, not ${[...websites]}`)
  }
}

async function readPosts(site: Site): Promise<Post[]> {
  const all: Post[] = []
  for (let page = 1; ; page++) {
    const query = `status=any,trash&context=edit&per_page=100&page=${page}`
    const { body } = await site.request('GET', `/wp/v2/tribe_events?${query}`)
    if (!Array.isArray(body)) return all
    all.push(...body)
    if (body.length < 100) return all
  }
}
