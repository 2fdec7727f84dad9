// How long `calctl dedupe venues` takes over an embedded calendar, and how much of that the machine was busy with other things.
import { spawnSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { performance } from 'node:perf_hooks'
import { calctl, createHome } from './serving.js'

const goal = 10

/** Prints time and processor time in s, the load of the machine, and the time of a loop to compare with. */
export default async function dedupe([count = '10000', rounds = '3']) {
  const { env, remove } = await createHome(calendarOf(Number(count)))
  for (let round = 0; round < Number(rounds); round++) {
    const loop = run(['-e', 'let x = 0; for (let i = 0; i < 3e8; i++) x = (x * 31 + i) | 0'], env)
    const all = run([calctl, 'dedupe', 'venues', '-o', 'count'], env)
    console.log(
      `${count} venues: ${all.output.trim()} pairs in ${all.wall.toFixed(1)} s (goal ${goal}), processor ${all.processor.toFixed(1)} s; ` +
        `load ${loadavg()[0].toFixed(1)}, loop ${loop.processor.toFixed(2)} s`,
    )
  }
  await remove()
}

function run(args, env) {
  const start = performance.now()
  const timed = spawnSync('bash', ['-c', 'TIMEFORMAT="%U %S"; time "$@"', 'bash', process.execPath, ...args], {
    env,
    encoding: 'utf8',
  })
  const wall = (performance.now() - start) / 1000
  const [user, system] = (/([\d.]+) ([\d.]+)\s*$/.exec(timed.stderr) ?? []).slice(1).map(Number)
  // A crash ends with 1, too, which here stands for "duplicates found": only a count proves that the command ran.
  const isCounted = timed.status === 1 && /^\d+$/.test(timed.stdout.trim())
  if (timed.status !== 0 && !isCounted) throw new Error(`${args.join(' ')} ended with ${timed.status}: ${timed.stderr}`)
  return { wall, processor: user + system, output: timed.stdout }
}

/** Venues of 40 towns, every tenth of which was entered twice. */
function calendarOf(count) {
  const kinds = [
    'Teatre',
    'Biblioteca',
    'Centre Cívic',
    'Museu',
    'Sala',
    'Auditori',
    'Casal',
    'Ateneu',
    'Pavelló',
    'Cinema',
  ]
  const syllables = 'ba co di fe gu la me ni or pa que ri sa te va xa mon tar vil bes'.split(' ')
  const word = seed =>
    [7, 11, 13].map(step => syllables[(seed * step + Math.floor(seed / step)) % syllables.length]).join('')
  const town = index => `${word(index % 40)} de Mar`
  const venues = Array.from({ length: count }, (_, index) => {
    const of = index % 10 === 9 ? index - 5 : index
    const name = `${kinds[of % kinds.length]} ${word(of)} ${word(of * 3 + 1)}`
    return {
      id: index + 1,
      venue: of === index ? name : name.toUpperCase(),
      address: `Carrer ${word(of * 5)}, ${(of % 90) + 1}`,
      city: town(of),
      phone: String(972_000_000 + of),
    }
  })
  return JSON.stringify({ calctl: 1, site: { timezone: 'Europe/Madrid', language: 'ca' }, venues })
}
