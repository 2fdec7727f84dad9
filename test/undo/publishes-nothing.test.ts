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
    /** The events that everybody can read, with their texts. */
    async readable(): Promise<Set<string>> {
      const readable = new Set<string>()
      for (const id of ids) {
        const answer = await fetch(`${site.baseUrl}/tribe/events/v1/events/${id}`, { headers: { connection: 'close' } })
        if (answer.status !== 200) continue
        const { description, all_day } = (await answer.json()) as Record<string, unknown>
        if (all_day !== null) readable.add(`${id}: ${description}`)
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
    `events update ${id} --description "${text}"`,
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
    'no undo or redo shows the public a text that it could not read before its run (%i)',
    async seed => {
      const site = await siteWithEvents()
      const random = randomNumbers(seed * 7919)
      /** What everybody could read before a run, by its name. */
      const before = new Map<string, Set<string>>()
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
        const revealed = [...(await site.readable())].filter(text => !allowed.has(text))
        if (revealed.length > 0) published.push([revealed, history.slice(-12)])
      }
      expect(published).toEqual([])
    },
    60_000,
  )
})

describe('an event that was edited while the public could not see it', () => {
  test.each(['private', 'draft', 'trash'])('stays hidden when the run that made it %s is undone', async status => {
    const site = await siteWithEvents()
    const id = site.ids[2]
    await site.calctl(`events update ${id} --status ${status} --yes`)
    const [run] = site.runs()
    await site.ask(`POST /wp/v2/tribe_events/${id}`, { content: 'Not for the public.' })
    const { status: exit, err } = await site.calctl(`undo ${run} --yes`)
    expect([exit, err]).toEqual([
      status === 'trash' ? 0 : 4,
      expect.stringContaining(
        `kept status of event ${id}: description changed while it was not public; to publish it: calctl events update ${id} --status publish`,
      ),
    ])
    expect([...(await site.readable())].join()).not.toContain('Not for the public.')
  })

  test('is published by the undo again once it has its earlier text', async () => {
    const site = await siteWithEvents()
    const id = site.ids[2]
    await site.calctl(`events update ${id} --status private`)
    const [run] = site.runs()
    await site.calctl(`events update ${id} --description "Not for the public."`)
    await site.calctl('undo --yes')
    const { status } = await site.calctl(`undo ${run} --yes`)
    expect([status, [...(await site.readable())]]).toEqual([0, [expect.stringContaining(`${id}: `)]])
  })
})

test.each(['', '--via events'])('an event that lists leave out comes back if it had no password (%s)', async via => {
  const site = await siteWithEvents()
  for (const id of site.ids.slice(0, 3)) await site.ask(`POST /events/${id}`, { ...dates, hide_from_listings: true })
  const before = await site.readable()
  await site.calctl(`events update ${site.ids.slice(0, 3).join(' ')} --status private --yes ${via}`)
  expect([...(await site.readable())]).toEqual([])
  const { err } = await site.calctl(`undo --yes ${via}`)
  expect(err).toContain(`kept status of event ${site.ids[0]}: its password is lost`)
  expect(await site.readable()).toEqual(before)
})

test('an undo by name does not give a published event the text that it had as a draft', async () => {
  const site = await siteWithEvents()
  const id = site.ids[4]
  await site.calctl(`events update ${id} --description "For the public."`)
  const [run] = site.runs()
  await site.calctl(`events update ${id} --status publish`)
  const { err } = await site.calctl(`undo ${run} --yes`)
  expect(err).toContain(`kept description of event ${id}: the earlier values were never public\n`)
  expect([...(await site.readable())].join()).toContain(`${id}: <p>For the public.</p>`)
})
