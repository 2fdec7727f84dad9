/**
 * Makes the labelled set on which `dedupe` is measured: records as people mistype them in three languages, and others that look
 * like doubles and are none. `thing` says which records are one; the second half has other words than the first, and nothing was
 * tuned on it. `npx vitest run test/doubles -u` writes `labelled-set.ndjson` again.
 */
import type { Language } from '../../src/contract/languages.ts'
import { mistypes, randomFrom } from './mistypes.ts'
import { type Kind, words } from './set-words.ts'

export interface LabelledRecord {
  readonly resource: 'venues' | 'organizers' | 'events' | 'categories' | 'tags'
  readonly half: 'tuned' | 'held back'
  readonly language: Language
  /** Records with the same label are one thing. */
  readonly thing: string
  readonly record: Readonly<Record<string, unknown>> & { readonly id: number }
}

type Fields = Readonly<Record<string, unknown>>

const languages: readonly Language[] = ['ca', 'es', 'en']

export function makeLabelledSet(): LabelledRecord[] {
  const set: LabelledRecord[] = []
  for (const half of ['tuned', 'held back'] as const)
    for (const language of languages) set.push(...makePart(half, language, set.length))
  return set
}

function makePart(half: LabelledRecord['half'], language: Language, before: number): LabelledRecord[] {
  const random = randomFrom(half === 'tuned' ? 20_261_121 + language.length : 77_003 + language.charCodeAt(0))
  const vocabulary = words(language, half === 'tuned' ? 0 : 1)
  const mistype = mistypes(random, language)
  const records: LabelledRecord[] = []
  let things = 0
  const add = (resource: LabelledRecord['resource'], thing: string, record: Fields) => {
    records.push({ resource, half, language, thing, record: { id: before + records.length + 1, ...record } })
  }
  /** A thing as it is, and with some probability once or twice as somebody else typed it. */
  const enter = (resource: LabelledRecord['resource'], fields: Fields, copies = random.pick([0, 0, 1, 1, 2])) => {
    const thing = `${language}${half === 'tuned' ? 't' : 'h'}${++things}`
    add(resource, thing, fields)
    for (let copy = 0; copy < copies; copy++) add(resource, thing, mistype(resource, fields))
    return fields
  }
  const { cities, kinds, names, streets, people, titles, tags, rooms, chains } = vocabulary
  const placeIn = (city: string, index: number): Fields => ({
    address: `${random.pick(streets)}, ${1 + random.below(140)}`,
    city,
    zip: String(17_000 + cities.indexOf(city) * 37 + (index % 5)).padStart(5, '0'),
    phone: `+34 97${2 + random.below(3)} ${100 + random.below(900)} ${100 + random.below(900)}`,
    website: `https://www.${slug(random.pick(names))}${index}.example/`,
  })
  const named = (kind: Kind, name: string) => kind.pattern.replace('*', name)

  // Venues of all kinds.
  const venues: Fields[] = []
  names.forEach((name, index) => {
    const kind = kinds[index % kinds.length] as Kind
    venues.push(enter('venues', { venue: named(kind, name), ...placeIn(random.pick(cities), index) }))
  })
  // A square of one name in every town.
  for (const city of cities)
    enter('venues', { venue: vocabulary.square, city, zip: placeIn(city, 0).zip }, random.below(2))
  // The rooms of one building, which share everything but their names.
  for (const pair of rooms) {
    const shared = placeIn(random.pick(cities), 1)
    for (const room of pair) enter('venues', { venue: room, ...shared }, random.below(2))
  }
  // The branches of a chain, in other towns and in one town.
  chains.forEach((chain, index) => {
    const website = `https://${slug(chain)}.example`
    for (const city of cities.slice(0, 4))
      enter('venues', { venue: chain, ...placeIn(city, index), website }, random.below(2))
    enter('venues', { venue: chain, ...placeIn(cities[0] ?? '', index + 60), website }, 0)
  })
  // A building, and a part of it that is a venue of its own.
  for (const { venue, ...place } of venues.slice(0, 6))
    enter('venues', { venue: `${vocabulary.cafe} ${venue}`, ...place }, 0)

  people.forEach((organizer, index) => {
    const host = `${slug(organizer)}.example`
    const phone = `9${70 + random.below(9)}${100_000 + random.below(899_999)}`
    enter('organizers', { organizer, email: `info@${host}`, phone, website: `https://${host}/` }, index % 3)
  })
  // The departments of one town hall share its phone number and its site.
  const hall = { phone: '972 419 000', website: 'https://ajuntament.example' }
  for (const organizer of vocabulary.departments) enter('organizers', { organizer, ...hall }, random.below(2))

  const venueOf = (index: number) => ({ id: 1000 + index, venue: venues[index % venues.length]?.venue })
  titles.forEach((title, index) => {
    const venue = venueOf(index)
    // Every month under one title, of which one date was entered twice.
    for (let month = 1; month <= 4; month++) {
      const day = `2027-0${month}-${String(1 + ((index * 3) % 27)).padStart(2, '0')}`
      const event = { title, venue, start_date: `${day} ${17 + (index % 4)}:00:00`, end_date: `${day} 22:00:00` }
      enter('events', event, month === 2 ? 1 + random.below(2) : 0)
    }
    const day = `2027-06-${String(1 + (index % 28)).padStart(2, '0')}`
    const at = (hour: number, more: Fields): Fields => ({
      title,
      venue,
      start_date: `${day} ${hour}:00:00`,
      end_date: `${day} ${hour + 1}:00:00`,
      ...more,
    })
    // Two sessions of a day, groups at one time, and one title in several places.
    enter('events', at(11, {}), 0)
    enter('events', at(17, {}), random.below(2))
    enter('events', at(19, { title: `${title} ${vocabulary.group} 1` }), 0)
    enter('events', at(19, { title: `${title} ${vocabulary.group} 2` }), random.below(2))
    for (const other of [7, 13]) enter('events', at(12, { venue: venueOf(index + other) }), 0)
  })

  for (const name of tags) enter('tags', { name }, random.below(3))
  for (const name of vocabulary.closeTags) enter('tags', { name }, 0)
  tags.slice(0, 10).forEach((name, index) => {
    enter('categories', { name, parent: 0 }, random.below(2))
    for (const parent of [9001, 9002])
      if (index < 3) enter('categories', { name: vocabulary.forChildren, parent: parent + index * 2 }, 0)
  })
  return records
}

const slug = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '')
