// How long `calctl sources apply` takes if nothing changed, how much memory it needs, and how many requests each source gets.
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createHome, median, runMeasured, serve } from './serving.js'

const goal = 'goal 10000 ms, 250 MB, 1.2 requests a source'

/** Prints the medians of wall and processor time in ms, of the memory in MB, and of the requests to each source. */
export default async function sources([count = '100', events = '100', rounds = '5']) {
  const { env, remove } = await createHome(JSON.stringify({ calctl: 1, site: { timezone: 'Europe/Madrid' } }))
  const server = await serve([], env, 'ignore')
  const feeds = await serveSources(Number(count), Number(events))
  const folder = join(env.XDG_DATA_HOME, 'folder')
  await mkdir(folder)
  await writeFile(join(folder, 'sources.yaml'), sourcesFile(Number(count), feeds.url))
  const run = (...args) => runMeasured([...args, '--base-url', server.url], { env, cwd: folder })
  await run('trust')
  const first = await run('sources', 'apply', '--create-missing', '--yes', '-q')
  report('the first time', [first], feeds, count)
  for (const isConditional of [true, false]) {
    feeds.isConditional = isConditional
    const all = []
    for (let round = 0; round < Number(rounds); round++) {
      feeds.requests = 0
      all.push(await run('sources', 'apply', '--yes', '-q'))
      if (all.at(-1).stdout !== '') throw new Error('a run in which nothing changed says something')
    }
    report(isConditional ? 'unchanged, by ETag' : 'unchanged, sent again', all, feeds, count, goal)
  }
  const { size } = await stat(join(folder, 'sources.memory.ndjson'))
  console.log(`the memory: ${(size / 2 ** 20).toFixed(1)} MB`)
  feeds.stop()
  await server.stop()
  await remove()
}

function report(name, all, { requests }, count, goalText = '') {
  const [wall, cpu, memory] = ['wall', 'cpu', 'memory'].map(key => median(all.map(one => one[key])).toFixed(0))
  const each = (requests / Number(count)).toFixed(2)
  console.log(`${name.padEnd(22)} ${wall} ms, cpu ${cpu} ms, ${memory} MB, ${each} requests a source   ${goalText}`)
}

/** Of ten sources, seven are feeds, and the others a sheet, a page and open data. */
const kindOf = source => ['csv', 'html', 'json'][(source % 10) - 7] ?? 'ics'

const sourcesFile = (count, url) =>
  `sources:\n${Array.from({ length: count }, (_, source) => {
    const map =
      kindOf(source) === 'json'
        ? '    map: { uid: id, title: name, start_date: from, end_date: to, venue: where }\n'
        : ''
    return `  - name: source-${source}\n    place: ${url}/${source}.${kindOf(source)}\n${map}`
  }).join('')}`

/** Serves the sources on loopback, with an ETag, and counts requests. */
async function serveSources(count, events) {
  const texts = new Map(
    Array.from({ length: count }, (_, source) => {
      const kind = kindOf(source)
      const list = Array.from({ length: events }, (_, index) => eventOf(source, index))
      return [`/${source}.${kind}`, writers[kind](list)]
    }),
  )
  const server = createServer((request, response) => {
    served.requests += 1
    const text = texts.get(request.url)
    const tag = `"${request.url}"`
    if (served.isConditional && request.headers['if-none-match'] === tag) response.writeHead(304).end()
    else if (text === undefined) response.writeHead(404).end()
    else response.writeHead(200, { etag: tag }).end(text)
  })
  const served = { requests: 0, isConditional: true, stop: () => server.close() }
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(served, { url: `http://127.0.0.1:${server.address().port}` })
}

function eventOf(source, index) {
  const day = new Date(Date.now() + ((index % 300) + 2) * 86_400_000).toISOString().slice(0, 10)
  const hour = 9 + (source % 12)
  const title = `Acte ${index} de l'entitat ${source}: ${'cant i dansa '.repeat(1 + (index % 3)).trim()}`
  const text = `${title}. Entrada lliure. `.repeat(4).trim()
  return { uid: `${source}-${index}`, title, text, day, hour, place: `Sala ${source % 50}` }
}

const times = ({ day, hour }) => [`${day}T${String(hour).padStart(2, '0')}:00:00`, `${day}T${hour + 2}:30:00`]

const writers = {
  ics: list =>
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//bench//sources//CA',
      ...list.flatMap(one => {
        const [start, end] = times(one).map(time => time.replaceAll(/[-:]/g, ''))
        return [
          'BEGIN:VEVENT',
          `UID:${one.uid}@bench.example`,
          `DTSTART;TZID=Europe/Madrid:${start}`,
          `DTEND;TZID=Europe/Madrid:${end}`,
          `SUMMARY:${one.title}`,
          `DESCRIPTION:${one.text}`,
          `LOCATION:${one.place}`,
          'END:VEVENT',
        ]
      }),
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  csv: list =>
    ['title,description,start_date,end_date,venue']
      .concat(list.map(one => `"${one.title}","${one.text}",${times(one).join(',')},${one.place}`))
      .join('\n'),
  html: list =>
    `<!DOCTYPE html><title>Agenda</title><script type="application/ld+json">${JSON.stringify(
      list.map(one => {
        const [startDate, endDate] = times(one)
        const location = { '@type': 'Place', name: one.place }
        const url = `https://bench.example/${one.uid}`
        return { '@type': 'Event', name: one.title, description: one.text, startDate, endDate, location, url }
      }),
    )}</script>`,
  json: list =>
    JSON.stringify(
      list.map(one => {
        const [from, to] = times(one)
        return { id: one.uid, name: one.title, from, to, where: one.place }
      }),
    ),
}
