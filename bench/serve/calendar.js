// A calendar file of any size, always the same for the same size, as a town with that many events might have it.
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

const day = 86_400_000
const subjects = ['Concert', 'Exhibition', 'Reading', 'Market', 'Workshop', 'Film', 'Dance', 'Lecture', 'Fair', 'Walk']
const where = ['in the square', 'at the library', 'by the river', 'in the old market', 'at the theatre', 'in the park']
const description =
  'Doors open half an hour before. Children are welcome with an adult. In case of rain it moves indoors. '

/** Writes `count` events spread over two years before and after today, with venues, organizers, categories and tags. */
export async function writeCalendar(file, count, now = Date.now()) {
  const out = createWriteStream(file)
  await pipeline(text(count, now), out)
}

function* text(count, now) {
  const random = randomFrom(count)
  const pick = most => 1 + Math.floor(random() * most)
  const places = Math.max(5, Math.round(count / 100))
  yield `{"calctl": 1, "site": {"language": "ca", "timezone": "Europe/Madrid"}`
  yield list('venues', places, id => ({
    id,
    lang_code: 'ca',
    slug: `venue-${id}`,
    venue: `Venue ${id}`,
    city: 'Girona',
  }))
  yield list('organizers', places, n => ({
    id: places + n,
    lang_code: 'ca',
    slug: `organizer-${n}`,
    organizer: `Organizer ${n}`,
  }))
  yield list('categories', 20, id => ({ id, lang_code: 'ca', slug: `category-${id}`, name: `Category ${id}` }))
  yield list('tags', 50, n => ({ id: 20 + n, lang_code: 'ca', slug: `tag-${n}`, name: `Tag ${n}` }))
  yield ',\n"events": [\n'
  const today = Math.floor(now / day) * day
  for (let n = 1; n <= count; n++) {
    const start = today + Math.floor((random() - 0.5) * 1460) * day + (8 + pick(12)) * 3_600_000
    const event = {
      id: 2 * places + n,
      lang_code: 'ca',
      slug: `event-${n}`,
      title: `${subjects[n % subjects.length]} ${n} ${where[pick(where.length) - 1]}`,
      description: description.repeat(pick(5)),
      start_date: wall(start),
      end_date: wall(start + pick(4) * 3_600_000),
      timezone: 'Europe/Madrid',
      cost: n % 3 === 0 ? `${pick(30)} €` : '',
      venue: pick(places),
      organizer: [places + pick(places)],
      categories: [pick(20)],
      tags: [20 + pick(50)],
    }
    yield `${JSON.stringify(event)}${n < count ? ',\n' : '\n'}`
  }
  yield ']}\n'
}

const list = (name, count, row) =>
  `,\n"${name}": [\n${Array.from({ length: count }, (_, n) => JSON.stringify(row(n + 1))).join(',\n')}\n]`

const wall = ms => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')

/** A linear congruential generator: the same numbers for the same seed. */
function randomFrom(seed) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 0x1_0000_0000
    return state / 0x1_0000_0000
  }
}
