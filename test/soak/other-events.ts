import { setTimeout as sleep } from 'node:timers/promises'
import type { Stage } from './attack-stage.ts'
import { eventPath, type Post } from './attacked-site.ts'
import { countJournals, finishRun } from './attacking-shells.ts'
import { editableOf, type Model, pickOf, statuses } from './browser-edits.ts'
import { finish } from './finish-command.ts'

export async function createOthers({ site }: Stage, { others, edited }: Model, size: number): Promise<void> {
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
      ...(isHidden(number) && { hide_from_listings: true }),
      ...(number % 3 === 0 && { password: 'secret' }),
    })
    const { id } = body as { id: number }
    const post = (await site.request('GET', `/wp/v2/tribe_events/${id}?context=edit`)).body as Post
    others.set(id, { post, websites: new Set([website]), isHidden: isHidden(number) })
    edited.set(id, editableOf(post))
  }
}

const isHidden = (number: number) => number % 4 === 0

/** Changes some events that are in no feed: by `update`, with a list that is edited and applied, or into the trash and back. */
export async function changeOthers(stage: Stage, model: Model, shell: string, round: number): Promise<void> {
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
    const words = ['events', 'update', ...some.map(String), '--website', website]
    return some.length === 0 ? undefined : change(some, () => finish(stage, shell, words))
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
  /**
   * Whether commands that ended as done moved all of them: one that was killed names no record that it could not read, and its run has
   * only the others; one that is run again fails for those that were moved before, such as by a resume.
   */
  const moveEach = async (command: readonly string[], toTrash: boolean): Promise<boolean> => {
    const run = (ids: readonly number[]) => finishRun(stage, shell, ['events', ...command, ...ids.map(String)])
    let isDone = await run(some)
    for (const id of some) if ((await isInTrash(id)) !== toTrash) isDone = (await run([id])) && isDone
    for (const id of some)
      if ((await isInTrash(id)) !== toTrash) problems.push(`events ${command.join(' ')} ${id} was not done`)
    return isDone
  }
  await moveEach(['delete'], true)
  // A site that does not show hidden events in its trash gets them back by an undo alone, as the hint says.
  if (random() < 0.5 || some.some(id => others.get(id)?.isHidden)) {
    // By name: `--last` would mean the runs before these once it is done, and an undo that kept what others changed ends with 7.
    const runs = (await shells.calctl(shell, ['runs', 'list', '-o', 'ids'])).out.split('\n').filter(name => name)
    if (!(await finishRun(stage, shell, ['undo', ...runs.slice(0, countJournals(stage.folder, shell) - before)])))
      problems.push(`undo of ${words.join(' ')} was not done`)
    return
  }
  const status = pickOf(random, statuses)
  for (const id of some) {
    restoring.add(id)
    edited.get(id)?.status.add(status)
  }
  // Which status an event has that was restored without a word nobody can tell.
  if (await moveEach(['restore', '--status', status], false))
    for (const id of some) Object.assign(edited.get(id) ?? {}, { status: new Set([status]) })
  for (const id of some) restoring.delete(id)
}

const csvOf = ['-o', 'csv', '--fields', 'id,website']
