import { type Attack, type AttackOutcome, onStage, type Stage } from './attack-stage.ts'
import { killNowAndThen, namespace, readPosts } from './attacked-site.ts'
import { countJournals, finishRun, runAsAdvised } from './attacking-shells.ts'
import { checkEdits, editRecords, type Model } from './browser-edits.ts'
import { changeFeed, type FeedEvent, newEvent, titleOf, writeFeed } from './changing-feed.ts'
import { deleteDoubles, finish } from './finish-command.ts'
import { changeOthers, createOthers } from './other-events.ts'

/**
 * Two machines follow one feed, and change other events with a list and `apply`, and with `update`. Both
 * apply each version of the feed at the same time, one of them now and then the version before; an editor changes excerpts and
 * statuses meanwhile, in the browser. Runs and the server are killed; answers are garbled, stale, short, or those to another
 * request. After each version the site has to have each date of it once, and nobody's change may be lost.
 */
export function attackFeeds(options: Attack): Promise<AttackOutcome> {
  const { rounds, size, faults, killsServer, wordpress = 'itself' } = options
  return onStage(options, true, async stage => {
    const { site, random, setFaults } = stage
    const model: Model = {
      edited: new Map(),
      others: new Map(),
      restoring: new Set(),
      edits: 0,
      mayOverwriteStatuses: false,
      overwritten: 0,
    }
    // Without it, there would be nothing to prune among.
    await site.request('POST', `/${namespace}/categories`, { name: 'Town' })
    await createOthers(stage, model, size)
    const feed = Array.from({ length: size }, (_, number) => newEvent(number))
    let version = writeFeed(stage, feed, 0)
    for (let round = 1; round <= rounds; round++) {
      const before = version
      const dropped = changeFeed(feed, random, round)
      version = writeFeed(stage, feed, round)
      const prune = random() < 0.5 ? ['--prune', '--categories', 'town'] : []
      setFaults(faults)
      if (round > rounds / 2) {
        stage.setWordPress(wordpress)
        model.mayOverwriteStatuses = wordpress !== 'itself'
      }
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
    return { created: (await readPosts(site)).length, edits: model.edits, overwritten: model.overwritten }
  })
}

/** A version may trash many events even without `--prune`: series on other dates than before. */
const anyNumber = ['--max-trash', '999']

/** Applies a version of the feed; now and then takes that back, and does it again. */
async function followFeed(stage: Stage, shell: string, file: string, prune: readonly string[]): Promise<void> {
  const words = ['apply', file, '--create-missing', ...prune, ...anyNumber]
  const before = countJournals(stage.folder, shell)
  await finish(stage, shell, words)
  if (stage.random() < 0.7) return
  // Unless the version changed nothing, and the latest run is another one, or deleted doubles of earlier ones.
  if (countJournals(stage.folder, shell) === before) return
  const [latest] = JSON.parse((await stage.shells.calctl(shell, ['runs', 'list', '--json'])).out || '[]')
  if (latest?.command !== 'apply') return
  // What others changed meanwhile stays, which is no success.
  const isDone = ({ status }: { status: number }) => status === 0 || status === 7 || status === 2
  await finishRun(stage, shell, ['undo', latest.run], { isDone })
  if (stage.random() < 0.5) await finishRun(stage, shell, ['redo', latest.run], { isDone })
  await finish(stage, shell, words)
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
  const apply = ['apply', ...words, ...anyNumber]
  let applied = await runAsAdvised(shells, 'one', apply)
  for (let deleted = 0; deleted < 9 && (await deleteDoubles(stage, 'one', applied.err)); deleted++)
    applied = await runAsAdvised(shells, 'one', apply)
  if (applied.status !== 0) problems.push(`round ${round}: apply ended with ${applied.status}`)
  const differs = await runAsAdvised(shells, 'two', ['diff', '--exit-code', ...words])
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
