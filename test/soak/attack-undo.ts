import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plusDays } from '../../src/base/time/dates.ts'
import { type Attack, type AttackOutcome, onStage, type Stage } from './attack-stage.ts'
import { eventPath, namespace, readAll, type Site } from './attacked-site.ts'
import { advisedBy, countJournals } from './attacking-shells.ts'

/** What the site has, a text for each record. */
type Snapshot = ReadonlyMap<string, string>

interface UndoStage extends Stage {
  readonly ids: readonly number[]
  /** Whether `wp/v2` answers: without it, not all that is written can be taken back. */
  readonly hasWordPress: boolean
  /** Whether a command was told to leave `wp/v2` out. */
  viaEvents: boolean
}

/**
 * Somebody who writes, takes it back and writes it again, while calctl is killed and answers are garbled: to events of every
 * kind, with every kind of write. Whatever went wrong on the way, a finished undo leaves the site as it was before the write, and
 * a finished redo as it was after it.
 */
export function attackUndo(options: Omit<Attack, 'killsServer'>): Promise<AttackOutcome> {
  const { rounds, size, faults, wordpress = 'itself' } = options
  return onStage({ ...options, killsServer: false }, false, async stage => {
    const ids = await fillSite(stage.site, size)
    stage.setFaults(faults)
    stage.setWordPress(wordpress)
    const undoStage = { ...stage, ids, hasWordPress: wordpress === 'itself', viaEvents: false }
    for (let round = 1; round <= rounds; round++) stage.problems.push(...(await playRound(undoStage, round)))
    return { created: (await readSite(undoStage)).size }
  })
}

const kinds = [
  { status: 'publish' },
  { status: 'draft' },
  { status: 'pending' },
  { status: 'private' },
  { status: 'publish', password: 'secret' },
  { status: 'publish', hide_from_listings: true },
]

async function fillSite(site: Site, size: number): Promise<number[]> {
  const ids: number[] = []
  const costs = ['', '12,50', '20', '0', '1.000 €']
  for (let number = 1; number <= size; number++) {
    const { body } = await site.request('POST', eventPath, {
      title: `Event ${number}`,
      start_date: `${plusDays('2027-03-10', number)} 19:00:00`,
      end_date: `${plusDays('2027-03-10', number)} 21:00:00`,
      description: `<!-- wp:paragraph --><p>Text ${number}</p><!-- /wp:paragraph -->`,
      excerpt: `Short ${number}`,
      website: `https://example.org/0/${number}`,
      cost: costs[number % costs.length],
      sticky: number % 3 === 0,
      featured: number % 4 === 0,
      venue: { venue: `Hall ${number % 2}` },
      organizer: [{ organizer: `Club ${number % 3}` }],
      tags: [`Tag ${number % 3}`, 'Music'],
      ...kinds[number % kinds.length],
    })
    ids.push((body as { id: number }).id)
  }
  return ids
}

/** Writes, takes back and repeats; returns what is not as it was then. */
async function playRound(stage: UndoStage, round: number): Promise<string[]> {
  const { random } = stage
  const problems: string[] = []
  const states: Snapshot[] = [await readSite(stage)]
  const names: string[] = []
  const writes = random() < 0.3 ? 2 : 1
  for (let number = 1; number <= writes; number++) {
    const words = await randomWrite(stage, `${round}-${number}`)
    const before = await runNames(stage)
    const said: string[] = []
    if (!(await finish(stage, words, [], said))) problems.push(`round ${round}: ${unfinished(words, said)}`)
    // A command that could not read all of its records was run again. None if nothing was to be written.
    const runs = (await runNames(stage)).filter(run => !before.includes(run))
    if (runs.length === 0) continue
    names.unshift(...runs)
    states.push(await readSite(stage))
  }
  if (names.length === 0) return problems
  const told: string[] = []
  for (const direction of ['undo', 'redo', 'undo', 'redo'].slice(0, 1 + Math.floor(random() * 4))) {
    // Of an undo that kept all that a run wrote nothing is left to redo: `--last` would mean a run before these. It does not count
    // a run that was killed before it sent anything, either.
    const keptAll = told.some(err => /^nothing was undone/m.test(err))
    const byName = random() < 0.5 || keptAll || names.length >= states.length
    const words = [direction, ...(byName ? names : ['--last', String(names.length)])]
    if (!(await finish(stage, words, [direction, ...names], told)))
      problems.push(`round ${round}: ${unfinished(words, told)}`)
    const expected = (direction === 'undo' ? states.at(0) : states.at(-1)) ?? new Map()
    problems.push(
      ...differencesOf(stage, expected, await readSite(stage)).map(
        text => `round ${round}, ${words.join(' ')}: ${text}`,
      ),
    )
    if (problems.length > 0) break
  }
  return problems
}

const unfinished = (words: readonly string[], said: readonly string[]): string =>
  `${words.join(' ')} did not end with 0: ${said.slice(-3).join('\n')}`

const runNames = async ({ shells }: Stage): Promise<string[]> =>
  (await shells.calctl('third', ['runs', 'list', '-o', 'ids'])).out.split('\n').filter(name => name)

/** Runs a command that may be killed, and then whatever a person would type until it is done; `told` gets what they printed. */
async function finish(
  stage: UndoStage,
  words: readonly string[],
  again: readonly string[],
  told: string[] = [],
): Promise<boolean> {
  const { shells, folder, random } = stage
  const maybeKilled = (share: number) => (random() < share ? 200 + random() * 1200 : undefined)
  const before = countJournals(folder, 'third')
  const advice = new Set<string>()
  let [mustResume, mustRepeat, lacksRecords, isResumed] = [false, false, false, false]
  const run = async (command: readonly string[], killAfter?: number) => {
    const result = await shells.calctl('third', [...command, ...advice], killAfter)
    told.push(result.err)
    for (const word of advisedBy(result.err)) advice.add(word)
    if (advice.size > 0) stage.viaEvents = true
    // A run has only the records that its command could read.
    lacksRecords =
      command === words && /\d of \d+ failed/.test(result.err) && !/finish it, with: calctl runs/.test(result.err)
    return result
  }
  // What is left of the run cannot be taken back, which it says; whether all else is there is compared afterwards.
  const keptAll = (err: string) => again[0] === 'undo' && /^error: nothing was undone$/m.test(err)
  // The undo kept all that the run wrote, so that there is nothing to redo.
  const isInEffect = (err: string) => again[0] === 'redo' && /^error: .* has not been undone$/m.test(err)
  // One that was killed after its last step has left nothing to do; whether all is there is compared afterwards.
  const isOver = ({ status, err }: { readonly status: number | null; readonly err: string }) =>
    status === 0 ||
    isInEffect(err) ||
    keptAll(err) ||
    (again.length > 0 && /^error: nothing left to (?:un|re)do of run/m.test(err))
  const first = await run(words, maybeKilled(0.6))
  if (isOver(first)) return true
  for (let attempt = 0; attempt < 12; attempt++) {
    const hasBegun = countJournals(folder, 'third') > before
    if (!hasBegun || mustRepeat || lacksRecords) {
      mustRepeat = false
      if (isOver(await run(words))) return true
      continue
    }
    const next = again.length > 0 && !mustResume && (isResumed || random() < 0.5) ? again : ['runs', 'resume']
    const outcome = await run(next, maybeKilled(attempt < 3 ? 0.3 : 0))
    const { status, err } = outcome
    mustResume = /finish it with: calctl runs resume/.test(err)
    mustRepeat = /nothing was sent before this run stopped/.test(err)
    if (isInEffect(err) || (next === again && isOver(outcome))) return true
    isResumed = status === 0
    if (status !== 0) continue
    if (again.length === 0 || next === again) return true
  }
  return false
}

/** The words of a command that changes something. */
async function randomWrite({ site, folder, random, ids, hasWordPress }: UndoStage, name: string): Promise<string[]> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const live: number[] = []
  const trashed: number[] = []
  for (const id of ids) {
    const { body } = await site.request('GET', `/wp/v2/tribe_events/${id}?context=edit`)
    if ((body as { status: string }).status !== 'trash') live.push(id)
    // Without `wp/v2` nobody can read a hidden event in the trash: see docs/undo.md.
    else if (hasWordPress || (await isShownInTrash(site, id))) trashed.push(id)
  }
  const some = (all: readonly number[]) => {
    const chosen = all.filter(() => random() < 0.4)
    return (chosen.length > 0 ? chosen : all.slice(0, 1)).map(String)
  }
  const always = ['update', 'update', 'sheet', 'trash', 'restore', 'create', 'creates'] as const
  // Without `wp/v2` nobody can tell which hidden events had a tag that is deleted: see docs/undo.md.
  const kind = pick(hasWordPress ? ([...always, 'tag'] as const) : always)
  const sheet = (lines: readonly string[]) => {
    const file = join(folder, `undo-${name}.csv`)
    writeFileSync(file, `${lines.join('\n')}\n`)
    return ['apply', file]
  }
  if (kind === 'restore' && trashed.length > 0) return ['events', 'restore', ...some(trashed)]
  if (kind === 'trash' && live.length > 4) return ['events', 'delete', ...some(live).slice(0, 4)]
  if (kind === 'create')
    return [
      'events',
      'create',
      '--title',
      `New ${name}`,
      '--start-date',
      '2027-06-06 10:00',
      '--end-date',
      '2027-06-06 11:00',
    ]
  if (kind === 'creates')
    return sheet([
      'resource,title,start_date,end_date,status,tags,venue',
      ...[1, 2, 3, 4].map(
        row => `events,New ${row} ${name},2027-06-06 10:00,2027-06-06 11:00,publish,New ${name},New ${name}`,
      ),
    ]).concat('--create-missing')
  if (kind === 'tag') {
    const { body } = await site.request('GET', `/${namespace}/tags?per_page=50&hide_empty=false`)
    const { tags } = body as { tags: { id: number }[] }
    return ['tags', 'delete', String(pick(tags).id)]
  }
  if (kind === 'sheet')
    return sheet([
      `resource,id,website${hasWordPress ? ',excerpt,cost' : ''}`,
      ...some(live).map(id => `events,${id},https://example.org/${name}${hasWordPress ? `,Sheet ${name},7` : ''}`),
    ])
  const values = pick([
    ['--title', `Title ${name}`],
    ...(hasWordPress ? onlyWithWordPress(name) : []),
    ['--website', `https://example.org/${name}`],
    ['--start-date', '2027-04-04 18:00', '--end-date', '2027-04-04 22:00', '--title', `Moved ${name}`],
    ['--sticky'],
    ['--no-featured'],
    ['--hide-from-listings'],
    ['--tags', 'Music'],
    ['--organizer', 'Club 1'],
    ['--status', 'private'],
    ['--slug', `slug-${name}`],
  ])
  const chosen = values[0] === '--slug' ? some(live).slice(0, 1) : some(live)
  return ['events', 'update', ...chosen, ...values]
}

async function isShownInTrash(site: Site, id: number): Promise<boolean> {
  const { body } = await site.request('GET', `${eventPath}?status=trash&include=${id}&starts_after=1900-01-01`)
  return (body as { events?: readonly unknown[] }).events?.length === 1
}

const onlyWithWordPress = (name: string): string[][] => [
  ['--description', `<!-- wp:list --><ul><li>${name}</li></ul><!-- /wp:list -->`],
  ['--excerpt', ''],
  ['--cost', '15'],
]

type Row = Readonly<Record<string, unknown>>

async function readSite({ site, hasWordPress }: Pick<UndoStage, 'site' | 'hasWordPress'>): Promise<Snapshot> {
  const snapshot = new Map<string, string>()
  const tags = await readAll<Row>(site, '/wp/v2/tags?context=edit&hide_empty=false')
  const nameOf = new Map(tags.map(({ id, name }) => [id, String(name)]))
  for (const { name } of tags) snapshot.set(`tag ${name}`, '{}')
  for (const kind of ['tribe_events', 'tribe_venue', 'tribe_organizer'])
    for (const status of ['any', 'trash'])
      for (const post of await readAll<Row>(site, `/wp/v2/${kind}?context=edit&status=${status}`)) {
        const { id, slug, date, title, content, excerpt, password, meta, tags } = post
        // In the trash, a slug without a name is that of a draft.
        const isDraftInTrash = !hasWordPress && post.status === 'trash' && String(slug).startsWith('__trashed')
        const isFloating = post.status === 'draft' || post.status === 'pending' || isDraftInTrash
        const raw = [title, content, excerpt].map(text => (text as { raw?: string } | undefined)?.raw)
        // A record in the trash loses a tag that is deleted, and a draft keeps the slug that it was given, which only wp/v2 clears.
        const ids = status === 'trash' ? [] : [tags ?? []].flat()
        const names = ids.map(id => nameOf.get(Number(id))).toSorted()
        const isKept = hasWordPress && String(slug).startsWith('__trashed')
        // The number in the slug of a draft in the trash tells only which was trashed first.
        const isNumbered = post.status === 'trash' && /^__trashed-\d+$/.test(String(slug))
        const keptSlug = isNumbered ? '__trashed' : slug
        const ownSlug = isFloating && !isKept ? '' : keptSlug
        const api = kind === 'tribe_events' && status === 'any' ? await readEvent(site, Number(id), hasWordPress) : {}
        snapshot.set(
          `${kind} ${id}`,
          JSON.stringify({
            status: post.status,
            slug: ownSlug,
            // A restore as a draft can give a record in the trash another date: see docs/undo.md.
            ...(!isFloating && post.status !== 'trash' && { date }),
            raw,
            password,
            meta: hasWordPress ? meta : withoutCost(meta),
            names,
            api,
          }),
        )
      }
  return snapshot
}

/** Without `wp/v2` nobody can tell how a cost is stored: it counts as it is shown. */
const withoutCost = (meta: unknown): unknown => ({ ...(meta as object), _EventCost: undefined })

async function readEvent(site: Site, id: number, hasWordPress: boolean): Promise<object> {
  const { body } = await site.request('GET', `${eventPath}/${id}?context=edit`)
  const { start_date, end_date, timezone, all_day, sticky, featured, hide_from_listings, website, cost } =
    body as Record<string, unknown>
  const own = hasWordPress ? website : ownWebsite(website)
  return { start_date, end_date, timezone, all_day, sticky, featured, hide_from_listings, website: own, cost }
}

/** A record without what the events API cannot bring back: see docs/undo.md. */
function asEventsApiLeaves(text: string): string {
  const { meta, api, ...others } = JSON.parse(text)
  const website = ownWebsite(api?.website)
  return JSON.stringify({ ...others, meta: withoutCost(meta), api: api && { ...api, website } })
}

/** The page of the event stands for a website that was never given; a restore through the events API gives an empty one. */
const ownWebsite = (website: unknown): unknown => (/\/event\/[^/]+\/$/.test(String(website)) ? '' : website)

/** What is not as it was; what is new has to be in the trash. */
function differencesOf({ viaEvents }: UndoStage, expected: Snapshot, actual: Snapshot): string[] {
  const differences: string[] = []
  const plain = (text?: string) => (viaEvents && text ? asEventsApiLeaves(text) : text)
  for (const [key, then] of expected) {
    const now = actual.get(key)
    if (plain(now) !== plain(then))
      differences.push(`${key}: ${now === undefined ? 'gone' : fieldsThatDiffer(then, now)}`)
  }
  for (const [key, now] of actual)
    if (!expected.has(key) && !now.includes('"status":"trash"')) differences.push(`${key} is new: ${now}`)
  return differences
}

function fieldsThatDiffer(then: string, now: string): string {
  const [before, after] = [then, now].map(text => JSON.parse(text) as Record<string, unknown>)
  return Object.keys({ ...before, ...after })
    .filter(name => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]))
    .map(name => `${name} was ${JSON.stringify(before?.[name])} and is ${JSON.stringify(after?.[name])}`)
    .join(', ')
}
