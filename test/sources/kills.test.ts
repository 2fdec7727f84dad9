import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundle } from '../soak/bundle.ts'
import { seededRandom } from '../soak/damaged-journals.ts'
import { stagedSite } from '../support/staged-site.ts'
import { event, feed } from './feed-server.ts'
import { word } from './year.ts'

const kills = process.env.SOAK_ROUNDS === undefined ? 5 : Number(process.env.SOURCE_KILLS ?? 200)

/** A town whose feed changes each round, and what the calendar must have of it. */
function changingTown() {
  const all: { number: number; title: string; isCalledOff: boolean; description: string }[] = []
  const add = () =>
    all.push({ number: all.length, title: `Acte ${word(all.length)}`, isCalledOff: false, description: '' })
  for (let count = 0; count < 4; count++) add()
  return {
    next(round: number) {
      const live = all.filter(({ isCalledOff }) => !isCalledOff)
      const one = live[round % live.length]
      if (one) one.title = `Acte ${word(one.number)}, canvi ${round}`
      if (round % 2 === 0) add()
      const [oldest] = live
      if (live.length > 6 && oldest) oldest.isCalledOff = true
      return live.at(-1)
    },
    feed: () =>
      feed(
        ...all.map(({ number, title, isCalledOff }) => {
          const day = `203${number % 7}${String(1 + (number % 12)).padStart(2, '0')}${10 + (number % 18)}`
          const more = isCalledOff ? { more: 'STATUS:CANCELLED' } : {}
          return event({
            uid: `event-${number}`,
            title,
            start: `${day}T190000`,
            end: `${day}T200000`,
            place: 'Sala',
            ...more,
          })
        }),
      ),
    expected: () =>
      all.flatMap(({ title, isCalledOff, description }) => (isCalledOff ? [] : [`${title}|${description}`])).toSorted(),
  }
}

/** A site and a folder with a source, and a process of `sources apply` that is killed at one of its requests or after a time. */
async function killing() {
  let child: ReturnType<typeof spawn> | undefined
  let left = Number.POSITIVE_INFINITY
  let isAfter = false
  const strike = (isAnswer: boolean) => {
    if (isAnswer === isAfter && left-- <= 0) child?.kill('SIGKILL')
  }
  const site = await stagedSite({ before: () => strike(false), after: () => strike(true) })
  const cwd = join(site.folder, 'sources')
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'sources.yaml'), 'sources:\n  - name: town\n    place: town.ics\n')
  const script = await bundle('calctl')
  const calctl = site.calctlWith({}, { cwd })
  expect((await calctl('trust')).status).toBe(0)
  const apply = 'sources apply --create-missing --yes -q'
  return {
    cwd,
    site,
    calctl,
    apply: () => calctl(apply),
    /** Kills a process before or after the request with this number, or after this many milliseconds. */
    async kill({ request, after, ms }: { request: number; after: boolean; ms: number | undefined }) {
      const options = { cwd, env: { ...process.env, ...site.env }, stdio: 'ignore' } as const
      left = ms === undefined ? request : Number.POSITIVE_INFINITY
      isAfter = after
      child = spawn(process.execPath, [script, ...apply.split(' ')], options)
      const timer = ms === undefined ? undefined : setTimeout(() => child?.kill('SIGKILL'), ms)
      const [, signal] = await once(child, 'close')
      clearTimeout(timer)
      left = Number.POSITIVE_INFINITY
      return signal === 'SIGKILL'
    },
    async state() {
      const { out } = await calctl('events list --all --all-dates --fields id,title,description -o json')
      return JSON.parse(out) as { id: number; title: string; description: string }[]
    },
  }
}

test(`sources apply that is killed at ${kills} moments loses and doubles nothing`, {
  timeout: 14_400_000,
}, async () => {
  const random = seededRandom(7)
  const town = changingTown()
  const { cwd, calctl, apply, kill, site, state } = await killing()
  let struck = 0
  for (let round = 0; struck < kills; round++) {
    expect(round, 'rounds without a kill').toBeLessThan(2 * kills + 10)
    const edited = town.next(round)
    writeFileSync(join(cwd, 'town.ics'), town.feed())
    const ms = random() < 0.2 ? 300 + random() * 1500 : undefined
    if (await kill({ request: Math.floor(random() * 18), after: random() < 0.5, ms })) struck += 1
    if (random() < 0.3) await calctl('resume --yes')
    const where = `round ${round}`
    const outcome = await apply()
    expect(outcome, where).toEqual({ status: 0, out: '', err: '' })
    const all = await state()
    expect(all.map(({ title, description }) => `${title}|${description}`).toSorted(), where).toEqual(town.expected())
    site.seen.length = 0
    expect(await apply(), where).toEqual({ status: 0, out: '', err: '' })
    expect(
      site.seen.filter(line => !line.startsWith('GET')),
      where,
    ).toEqual([])
    const record = all.find(({ title }) => title === edited?.title)
    if (!edited || !record || random() > 0.3) continue
    edited.description = `<p>Corregit ${round}</p>`
    await calctl(['events', 'update', String(record.id), '--description', edited.description, '--yes'])
  }
})

test('a second machine with the same folder doubles nothing, with the memory and without it', async () => {
  const town = changingTown()
  const { cwd, apply, site, state } = await killing()
  writeFileSync(join(cwd, 'town.ics'), town.feed())
  expect(await apply()).toMatchObject({ status: 0 })
  for (const hasMemory of [true, false]) {
    const other = join(site.folder, `other-${hasMemory}`)
    cpSync(cwd, other, { recursive: true })
    if (!hasMemory) rmSync(join(other, 'sources.memory.ndjson'))
    const home = join(site.folder, `home-${hasMemory}`)
    const calctl = site.calctlWith({ HOME: home, XDG_STATE_HOME: home, XDG_CONFIG_HOME: home }, { cwd: other })
    await calctl('trust')
    site.seen.length = 0
    const line = 'sources apply --create-missing --yes -q'
    expect(await calctl(line)).toEqual({ status: 0, out: '', err: '' })
    expect(site.seen.filter(line => !line.startsWith('GET'))).toEqual([])
    town.next(hasMemory ? 1 : 3)
    for (const folder of [other, cwd]) writeFileSync(join(folder, 'town.ics'), town.feed())
    expect(await calctl(line)).toEqual({ status: 0, out: '', err: '' })
    expect(await apply()).toEqual({ status: 0, out: '', err: '' })
    expect((await state()).map(({ title, description }) => `${title}|${description}`).toSorted()).toEqual(
      town.expected(),
    )
  }
})
