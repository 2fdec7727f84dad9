import type { ResourceName } from '../contract/field.ts'
import { addressKey } from '../text/contact-details.ts'
import type { Traits } from './traits.ts'

/** A key that duplicates are likely to share, and how many records may share it before it says too little. */
export interface BlockKey {
  readonly key: string
  readonly most: number
}

/** Records that share a phone number are few; those that share the beginning of a word are many. */
const strong = 1000
const medium = 60
const weak = 25

/** The keys under which a record is looked for: two records that have none in common are not compared. */
export function* blockKeys(resource: ResourceName, traits: Traits): Generator<BlockKey> {
  const { name, moment } = traits
  if (moment) {
    const day = moment.start.slice(0, 10)
    yield { key: `${day} ${name.key}`, most: strong }
    if (moment.venue) yield { key: `${day} at ${moment.venue.id}`, most: medium }
    for (const part of partsOf(traits)) yield { key: `${day} ${part}`, most: medium }
    return
  }
  yield { key: `name ${name.key}`, most: strong }
  yield { key: `letters ${name.letters}`, most: strong }
  if (resource === 'categories' || resource === 'tags') {
    for (const part of partsOf(traits)) yield { key: part, most: strong }
    return
  }
  for (const phone of traits.phones) yield { key: `phone ${phone}`, most: medium }
  if (traits.email) yield { key: `email ${traits.email}`, most: medium }
  if (traits.website) yield { key: `website ${traits.website}`, most: medium }
  if (traits.address) yield { key: `address ${addressKey(traits.address)}`, most: medium }
  const { city, zip } = traits
  for (const part of partsOf(traits)) {
    yield { key: part, most: weak }
    if (city) yield { key: `${part} in ${city.letters.slice(0, 4)}`, most: medium }
    if (zip) yield { key: `${part} in ${zip}`, most: medium }
  }
}

/** How many letters of a word, at its beginning or its end, tell that it may be the same as another. */
const partOf = (length: number): number => Math.min(4, Math.max(2, Math.floor(length / 2)))

/** The beginnings and ends of the words that tell most: a wrong letter is not in both. */
function* partsOf({ name }: Traits): Generator<string> {
  const telling = name.words.filter(({ weight, isExact }) => weight === 1 && !isExact)
  const words = telling.length > 0 ? telling : name.words
  for (const { text } of words) {
    // Of a word that lacks a letter, the part may be shorter.
    for (const length of new Set([partOf(text.length), partOf(text.length - 1)])) {
      yield `^${text.slice(0, length)}`
      if (text.length > length) yield `${text.slice(-length)}$`
    }
  }
  const letters = name.letters
  if (letters.length >= 8) {
    yield `^^${letters.slice(0, 5)}`
    yield `${letters.slice(-5)}$$`
  }
}
