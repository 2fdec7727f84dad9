import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { wordpressSite } from '../support/wordpress-site.ts'

const dates = { start_date: '2027-03-04 18:30:00', end_date: '2027-03-04 20:00:00' }

/** Numbers from 0 to 1 that are the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

async function siteWithEvents() {
  const site = await wordpressSite()
  const ids: number[] = []
  for (const [index, status] of ['publish', 'publish', 'publish', 'draft', 'private'].entries()) {
    const { id } = await site.ask('POST /events', {
      ...dates,
      title: `Event ${index}`,
      description: `Text-${index}.`,
      status,
    })
    ids.push(id)
  }
  const protect = (id?: number) => site.ask(`POST /wp/v2/tribe_events/${id}`, { password: 'sesame' })
  for (const id of [ids[0], ids[1], ids[3]]) await protect(id)
  return {
    ...site,
    ids,
    /** The events that everybody can read. */
    async readable(): Promise<Set<number>> {
      const readable = new Set<number>()
      for (const id of ids) {
        const answer = await fetch(`${site.baseUrl}/tribe/events/v1/events/${id}`, { headers: { connection: 'close' } })
        if (answer.status === 200) readable.add(id)
      }
      return readable
    },
    runs(): string[] {
      const folder = join(site.folder, 'state/calctl/runs')
      return existsSync(folder) ? readdirSync(folder).flatMap(name => /(\w+)\.ndjson$/.exec(name)?.[1] ?? []) : []
    },
  }
}

type Site = Awaited<ReturnType<typeof siteWithEvents>>

/** A random write of one event, or of several. */
function randomWrite({ ids, file }: Site, random: () => number, text: string): string {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const id = pick(ids)
  const status = pick(['publish', 'draft', 'private', 'private', 'pending'])
  const sheet = (columns: object) =>
    file(
      'sheet.json',
      JSON.stringify([
        { id, ...columns },
        { id: pick(ids), ...columns },
      ]),
    )
  return pick([
    `events update ${id} --status ${status}`,
    `events update ${id} --status ${status} --description "${text}"`,
    `events update ${id} --status ${status} --post-password other`,
    `events update ${id} --post-password other`,
    `events update ${id} --clear post_password --description "${text}"`,
    `events update ${ids.join(' ')} --status ${status} --yes`,
    `events update ${id} --description "${text}" --status trash`,
    `apply ${sheet({ status })} --resource events --yes`,
    `events delete ${id} --yes`,
    `events restore ${id} --status ${status}`,
    `events restore ${ids.join(' ')} --status ${status} --yes`,
  ])
}

/** `npm run soak` walks further. */
const seeds = process.env.SOAK_ROUNDS === undefined ? [4] : [1, 2, 3, 4, 5, 6, 7, 8]

describe.each(['', '--via events'])('a site %s', via => {
  test.each(seeds)(
    'no undo or redo makes an event public that was not so before its run (%i)',
    async seed => {
      const site = await siteWithEvents()
      const random = randomNumbers(seed * 7919)
      /** What everybody could read before a run, by its name. */
      const before = new Map<string, Set<number>>()
      const published: unknown[] = []
      const history: string[] = []
      for (let step = 1; step <= 40; step++) {
        const known = new Set(site.runs())
        const now = await site.readable()
        const names = [...before.keys()]
        const back = ['undo', 'undo', 'redo', `undo ${names[Math.floor(random() * names.length)]}`]
        const line =
          random() < 0.5
            ? randomWrite(site, random, `Text-${seed}-${step}.`)
            : `${back[Math.floor(random() * back.length)]} --yes`
        const { err } = await site.calctl(`${line} ${via}`)
        history.push(`${line}: ${err}`)
        for (const run of site.runs().filter(run => !known.has(run))) before.set(run, now)
        if (!/^(undo|redo)/.test(line)) continue
        const undone = [...err.matchAll(/undoing run (\w+)/g)].flatMap(([, run = '']) => [...(before.get(run) ?? [])])
        const allowed = new Set([...now, ...undone])
        const revealed = [...(await site.readable())].filter(id => !allowed.has(id))
        if (revealed.length > 0) published.push([revealed, history.slice(-12)])
      }
      expect(published).toEqual([])
    },
    60_000,
  )
})
