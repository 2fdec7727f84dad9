// How long `calctl lint` takes over an embedded calendar and over loopback, and how much memory it needs.
import { createHome, median, runMeasured, serve } from './serving.js'

const goal = 3000

/** Prints the medians of wall and processor time in ms and of the memory in MB, beside those of a list. */
export default async function lint([count = '10000', rounds = '5']) {
  const { env, file, remove } = await createHome(calendarOf(Number(count)))
  // What calctl itself wrote is not checked again when it is opened.
  await run(['tags', 'create', '--name', 'Any', '-q', '-o', 'ids'], env)
  await measure('embedded', [], env, Number(rounds))
  const server = await serve(['--file', file], env, 'ignore')
  await measure('loopback', ['--base-url', server.url], env, Number(rounds))
  await server.stop()
  await remove()
}

const commands = {
  'events list --all -o ndjson': ['events', 'list', '--all', '--all-dates', '-o', 'ndjson', '-q'],
  'lint -q': ['lint', '-q'],
  'lint --severity info -q': ['lint', '--severity', 'info', '-q'],
}

async function measure(where, calendar, env, rounds) {
  for (const [name, args] of Object.entries(commands)) {
    const all = []
    for (let round = 0; round < rounds; round++) all.push(await run([...args, ...calendar], env))
    const [wall, cpu, memory] = ['wall', 'cpu', 'memory'].map(key => median(all.map(one => one[key])))
    const goalText = name.startsWith('lint') ? `   goal ${goal} ms for 10000` : ''
    console.log(
      `${where} ${name.padEnd(28)} ${wall.toFixed(0)} ms, cpu ${cpu.toFixed(0)} ms, ${memory.toFixed(0)} MB${goalText}`,
    )
  }
}

// A crash ends with 1, too, which here stands for "problems found": only problems prove that the command ran.
const run = (args, env) =>
  runMeasured(args, {
    env,
    isExpected: ({ status, stdout }) => status === 1 && args[0] === 'lint' && stdout.length > 0,
  })

const words =
  'la plaça del poble de nit amb música i cançons per als veïns que vulguin venir a ballar sota els plàtans fins que surti el sol'.split(
    ' ',
  )

/** A text of about 60 words, with markup, that is never twice the same. */
function text(seed) {
  const word = index => words[(seed * 7 + index * (1 + (seed % 5))) % words.length]
  const sentence = from => `${Array.from({ length: 30 }, (_, index) => word(from + index)).join(' ')}.`
  return `<p>${sentence(0)} <a href="https://town.example/${seed}">Més <b>informació</b></a></p>\n<p>${sentence(31)}</p>`
}

/** Events over two years around today at a hundred venues; one in fifty has a mistake. */
function calendarOf(count) {
  const first = Date.now() - 365 * 86_400_000
  const day = index => new Date(first + Math.floor((index * 730) / count) * 86_400_000).toISOString().slice(0, 10)
  const events = Array.from({ length: count }, (_, index) => ({
    id: index + 1000,
    title: `${words[index % 23]} ${words[(index * 3) % 24]} ${words[(index * 5) % 19]} ${index}`,
    description: text(index) + (index % 50 === 0 ? '<b>cafÃ©' : ''),
    slug: `acte-${index}`,
    start_date: `${day(index)} ${10 + (index % 10)}:00:00`,
    end_date: `${day(index)} ${11 + (index % 10)}:30:00`,
    venue: (index % 100) + 1,
    categories: [(index % 5) + 2],
  }))
  const categories = ['Música', 'Fires', 'Cinema', 'Teatre', 'Llibres'].map((name, index) => ({ id: index + 2, name }))
  const venues = Array.from({ length: 100 }, (_, index) => ({
    id: index + 1,
    venue: `Sala ${words[index % 24]} ${index}`,
    address: `Carrer ${index}`,
    city: 'Girona',
  }))
  return JSON.stringify({ calctl: 1, site: { timezone: 'Europe/Madrid', language: 'ca' }, events, venues, categories })
}
