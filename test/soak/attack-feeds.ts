import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, type AttackOutcome, onStage, type Stage } from './attack-stage.ts'
import { eventPath, killNowAndThen, namespace, type Post, readPosts } from './attacked-site.ts'
import { advisedBy, countJournals, finishRun, runAsAdvised } from './attacking-shells.ts'

/** An event of the feed; a series has four dates. */
interface FeedEvent {
  readonly uid: string
  readonly isSeries: boolean
  revision: number
  hour: number
}

/** What an editor gave a record, if the site acknowledged it; several values if it may not have been saved. */
interface Edited {
  excerpt: Set<string>
  status: Set<string>
  password: Set<string>
}

/** What is known about the site: edits in the browser, and the events that are in no feed. */
interface Model {
  readonly edited: Map<number, Edited>
  /** The events that are in no feed, as they were, and the websites that they may have. */
  readonly others: Map<number, { readonly post: Post; websites: Set<string> }>
  /** The events that calctl is to bring back with another status: which one it should be nobody could tell after an edit. */
  readonly restoring: Set<number>
  edits: number
}

/**
 * Two machines follow one feed, and change other events with `export`, a stream editor and `apply`, and with `events edit`. Both
 * apply each version of the feed at the same time, one of them now and then the version before; an editor changes excerpts and
 * statuses meanwhile, in the browser. Runs and the server are killed; answers are garbled, stale, short, or those to another
 * request. After each version the site has to have each date of it once, and nobody's change may be lost.
 */
export function attackFeeds(options: Attack): Promise<AttackOutcome> {
  const { rounds, size, faults, killsServer, wordpress = 'itself' } = options
  return onStage(options, true, async stage => {
    const { site, random, setFaults } = stage
    const model: Model = { edited: new Map(), others: new Map(), restoring: new Set(), edits: 0 }
    // Without it, there would be nothing to prune among.
    await site.request('POST', `/${namespace}/categories`, { name: 'Town' })
    await createOthers(stage, model, size)
    const feed = Array.from({ length: size }, (_, number) => newEvent(number))
    let version = writeFeed(stage, feed, 0)
    for (let round = 1; round <= rounds; round++) {
      const before = version
      const dropped = changeFeed(feed, random, round)
      version = writeFeed(stage, feed, round)
      const prune = random() < 0.5 ? ['--prune', '--categories', 'town', '--max-trash', '999'] : []
      setFaults(faults)
      if (round > rounds / 2) stage.setWordPress(wordpress)
      let isOver = false
      const meanwhile = [editRecords(stage, model, () => isOver)]
      if (killsServer) meanwhile.push(killNowAndThen(site, random, () => isOver))
      const isLate = prune.length === 0 && random() < 0.3
      await Promise.all([
        followFeed(stage, 'one', version, prune).then(() => changeOthers(stage, model, 'one', round)),
        followFeed(stage, 'two', isLate ? before : version, prune),
      ])
      isOver = true
      await Promise.all(meanwhile)
      setFaults(0)
      await checkRound(stage, { version, prune, feed, dropped, round })
    }
    await checkEdits(stage, model)
    return { created: (await readPosts(site)).length, edits: model.edits }
  })
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
  let [mayResume, mustResume] = [false, false]
  const advice = new Set<string>()
  for (let attempt = 0; attempt < attempts; attempt++) {
    const killAfter = random() < 0.4 ? 200 + random() * 2500 : undefined
    const before = countJournals(folder, shell)
    const command = mustResume || (mayResume && random() < 0.5) ? ['runs', 'resume'] : words
    const end = attempt < attempts / 2 ? killAfter : undefined
    const { status, err } = await shells.calctl(shell, [...command, ...advice], end, given)
    for (const word of advisedBy(err)) advice.add(word)
    // Nobody but a resume finds out what became of what was sent, and of what another machine created too.
    mustResume = /\d unknown/.test(err)
    const [, doubles] = /delete what is too much with: calctl (events delete [\d ]+)/.exec(err) ?? []
    if (doubles) await finishRun({ folder, shells, random }, shell, doubles.trim().split(' '))
    if (status === 0 && command === words) return true
    mayResume = status !== 0 && (mayResume || countJournals(folder, shell) > before)
  }
  problems.push(`${shell}: ${words.join(' ')} did not end with 0 in ${attempts} attempts`)
  return false
}

/** Applies a version of the feed; now and then takes that back, and does it again. */
async function followFeed(stage: Stage, shell: string, file: string, prune: readonly string[]): Promise<void> {
  const words = ['apply', file, '--create-missing', ...prune]
  await finish(stage, shell, words)
  if (stage.random() < 0.7) return
  // What others changed meanwhile stays, which is no success.
  const isDone = ({ status }: { status: number }) => status === 0 || status === 7 || status === 2
  await finishRun(stage, shell, ['undo'], { isDone })
  if (stage.random() < 0.5) await finishRun(stage, shell, ['redo'], { isDone })
  await finish(stage, shell, words)
}

const statuses = ['publish', 'publish', 'draft', 'pending', 'private'] as const

async function createOthers({ site }: Stage, { others, edited }: Model, size: number): Promise<void> {
  for (let number = 1; number <= size; number++) {
    const website = `https://example.org/${number}`
    const { body } = await site.request('POST', eventPath, {
      title: `Other ${number}`,
      start_date: `2027-11-${10 + (number % 18)} 19:00:00`,
      end_date: `2027-11-${10 + (number % 18)} 21:00:00`,
      status: statuses[number % statuses.length],
      description: `<!-- wp:paragraph --><p>Text ${number}</p><!-- /wp:paragraph -->`,
      website,
      cost: ['', '12,50', '20', '0'][number % 4],
      ...(number % 4 === 0 && { hide_from_listings: true }),
      ...(number % 3 === 0 && { password: 'secret' }),
    })
    const { id } = body as { id: number }
    const post = (await site.request('GET', `/wp/v2/tribe_events/${id}?context=edit`)).body as Post
    others.set(id, { post, websites: new Set([website]) })
    edited.set(id, editableOf(post))
  }
}

/** Changes some events that are in no feed: in an editor, with a list that is edited and applied, or into the trash and back. */
async function changeOthers(stage: Stage, model: Model, shell: string, round: number): Promise<void> {
  const { shells, random, problems } = stage
  const { others, edited, restoring } = model
  const website = `https://example.org/${shell}-${round}`
  const kind = Math.floor(random() * 3)
  const some = [...others.keys()].filter(() => random() < 0.3).slice(0, 3)
  const change = async (ids: readonly number[], write: () => Promise<boolean>) => {
    for (const id of ids) others.get(id)?.websites.add(website)
    if (!(await write())) return
    for (const id of ids) {
      const other = others.get(id)
      if (other) other.websites = new Set([website])
    }
  }
  if (kind === 0) {
    const editor = `sed -i s,^website:.*,website:\\ ${website},`
    const words = ['events', 'edit', ...some.map(String)]
    return some.length === 0 ? undefined : change(some, () => finish(stage, shell, words, { editor }))
  }
  if (kind === 1) {
    const { status, out } = await shells.calctl(shell, ['events', 'list', '--all-dates', '--all', ...csvOf])
    if (status !== 0) return
    const lines = out.split('\n').filter(line => line.includes(',https://example.org/'))
    const ids = lines.map(line => Number(line.split(',')[0])).filter(id => others.has(id))
    const input = `id,website\n${ids.map(id => `${id},${website}`).join('\n')}\n`
    const words = ['apply', '-', '--format', 'csv', '--resource', 'events']
    return change(ids, () => finish(stage, shell, words, { input }))
  }
  if (some.length === 0) return
  const words = some.map(String)
  const before = countJournals(stage.folder, shell)
  const isInTrash = async (id: number): Promise<boolean> => {
    for (;;)
      try {
        const { body } = await stage.site.request('GET', `/wp/v2/tribe_events/${id}?context=edit`)
        return (body as Post).status === 'trash'
      } catch {
        // The server was killed, and starts again.
        await sleep(200)
      }
  }
  /** A command that was killed names no record that it could not read, and its run has only the others. */
  const finishEach = async (command: readonly string[], ids: readonly number[], toTrash: boolean) => {
    if (!(await finishRun(stage, shell, ['events', ...command, ...ids.map(String)]))) return false
    for (const id of ids)
      if ((await isInTrash(id)) !== toTrash && !(await finishRun(stage, shell, ['events', ...command, String(id)])))
        return false
    return true
  }
  if (!(await finishEach(['delete'], some, true))) problems.push(`events delete ${words.join(' ')} was not done`)
  if (random() < 0.5) {
    if (!(await finishRun(stage, shell, ['undo', '--last', String(countJournals(stage.folder, shell) - before)])))
      problems.push(`undo of ${words.join(' ')} was not done`)
    return
  }
  const status = pickOf(random, statuses)
  for (const id of some) {
    restoring.add(id)
    edited.get(id)?.status.add(status)
  }
  if (await finishEach(['restore', '--status', status], some, false))
    for (const id of some) Object.assign(edited.get(id) ?? {}, { status: new Set([status]) })
  else problems.push(`events restore ${words.join(' ')} was not done`)
  for (const id of some) restoring.delete(id)
}

const csvOf = ['-o', 'csv', '--fields', 'id,website']

/** Somebody who changes excerpts and statuses of all kinds of events in the browser. */
async function editRecords({ site, random }: Stage, model: Model, isOver: () => boolean): Promise<void> {
  const { edited, restoring } = model
  for (let number = 1; !isOver(); number++) {
    await sleep(50 + random() * 200)
    try {
      const posts = (await readPosts(site)).filter(({ status }) => status !== 'trash')
      const post = posts[Math.floor(random() * posts.length)]
      if (!post) continue
      const name = restoring.has(post.id) ? 'excerpt' : pickOf(random, editedFields)
      const value = name === 'status' ? pickOf(random, statuses) : `Edited ${number} ${random()}`
      const known = edited.get(post.id) ?? editableOf(post)
      edited.set(post.id, known)
      known[name].add(value)
      const { status } = await site.request('POST', `/wp/v2/tribe_events/${post.id}`, {
        [name]: value,
        meta: { _EventCost: post.meta._EventCost },
      })
      if (status !== 200) continue
      model.edits += 1
      known[name] = new Set([value])
    } catch {
      // The server was killed: the edit may have been saved or not.
    }
  }
}

const editedFields = ['excerpt', 'excerpt', 'excerpt', 'excerpt', 'status', 'password'] as const

const editableOf = ({ excerpt, status, password }: Post): Edited => ({
  excerpt: new Set([excerpt.raw]),
  status: new Set([status]),
  password: new Set([password]),
})

const pickOf = <T>(random: () => number, all: readonly T[]): T => all[Math.floor(random() * all.length)] as T

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
  const applied = await runAsAdvised(shells, 'one', ['apply', ...words])
  if (applied.status !== 0) problems.push(`round ${round}: apply ended with ${applied.status}`)
  const differs = await runAsAdvised(shells, 'two', [
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
async function checkEdits({ site, problems }: Stage, { edited, others }: Model): Promise<void> {
  const posts = new Map((await readPosts(site)).map(post => [post.id, post]))
  for (const [id, { excerpt, status, password }] of edited) {
    const post = posts.get(id)
    if (!post) {
      problems.push(`event ${id} is gone`)
      continue
    }
    if (!excerpt.has(post.excerpt.raw)) problems.push(`excerpt of ${id} is ${post.excerpt.raw}, not ${[...excerpt]}`)
    if (!password.has(post.password)) problems.push(`password of ${id} is ${post.password}, not ${[...password]}`)
    if (post.status !== 'trash' && !status.has(post.status))
      problems.push(`status of ${id} is ${post.status}, not ${[...status]}`)
  }
  for (const [id, { post: before, websites }] of others) {
    const post = posts.get(id)
    if (!post || post.status === 'trash') {
      problems.push(`event ${id}, which is in no feed, is gone`)
      continue
    }
    const website = String(post.meta._EventURL)
    if (!websites.has(website)) problems.push(`website of ${id} is ${website}, not ${[...websites]}`)
    if (unchangedOf(post) !== unchangedOf(before))
      problems.push(`event ${id} changed from ${unchangedOf(before)} to ${unchangedOf(post)} without being asked`)
  }
}

/** What nobody changes of an event that is in no feed. */
const unchangedOf = ({ title, content, meta: { _EventURL, ...meta } }: Post): string =>
  JSON.stringify([title.raw, content.raw, meta])
