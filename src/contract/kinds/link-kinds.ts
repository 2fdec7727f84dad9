import { isObject } from '../../base/text/json.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Field, FieldExtra, Kind, ResourceName, Schema } from '../field.ts'
import type { Words } from '../languages.ts'
import { choiceList } from '../post-status.ts'
import { base, fieldOf } from './base-kind.ts'
import { choiceIn, equal, isPlain, isPlainOrList, listIn, positiveIn, sameText, scalar } from './kind-values.ts'

const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const positive: Schema = { type: 'integer', minimum: 1 }

const list = {
  ...base,
  shape: 'list',
  empty: null,
  isRepeatable: true,
  column: (value: unknown) => value,
} as const

/** Several choices. */
const choicesKind: Kind<string[]> = {
  ...list,
  name: 'choices',
  placeholder: 'words',
  expected: ({ choices }) => phrase('one or more of {choices}', { choices: choiceList(choices) }),
  example: 'publish,draft',
  emptyColumn: [],
  read: (value, field) => listIn(value, part => choiceIn(part, field)),
  schema: ({ choices }) => ({ type: 'array', items: { type: 'string', enum: choices } }),
  answerSchema: ({ choices }) => ({ type: 'array', items: { type: 'string', enum: choices } }),
}

/** Several IDs. */
const idsKind: Kind<number[]> = {
  ...list,
  name: 'ids',
  placeholder: 'ids',
  expected: () => phrase('one or more IDs, comma-separated'),
  example: '3,5',
  emptyColumn: [],
  read: value => listIn(value, positiveIn),
  schema: () => ({ type: 'array', items: positive }),
  answerSchema: () => ({ type: 'array', items: positive }),
}

const links = {
  ...base,
  identity: ['id', 'slug', 'name', 'venue', 'organizer', 'city'],
  shape: 'links',
  empty: [],
  isRepeatable: true,
  isPatchable: isIdOrNone,
  patched: patchedIds,
} as const

/** Categories or tags, written as IDs, slugs or names; answered as objects. */
const termsKind: Kind<number[], (number | string)[]> = {
  ...links,
  name: 'terms',
  placeholder: 'terms',
  expected: () => phrase('IDs, slugs or names, comma-separated'),
  example: '3,jazz',
  emptyColumn: [],
  isTerms: true,
  read: scalar(isPlainOrList),
  schema: () => ({ type: 'array', items: { type: ['integer', 'string'] } }),
  answerSchema: () => ({ type: 'array', items: reference('EmbeddedTerm') }),
  canonical: (answered, field) => linked(answered, field, ids => ids.toSorted((one, other) => one - other)),
  isShown: (asked, { name, answer }) =>
    hasLinks(typeof asked === 'string' ? asked.split(',') : [asked].flat(), answer[name]),
  column: (value, { of }, _name, storing) => storing.termIds(of ?? 'tags', [value].flat()),
  unpatched: value => idsIn(value).map(id => ({ id })),
}

/** Venues or organizers, written as IDs or as records to create; answered as objects. */
const postsKind: Kind<number[], (number | Readonly<Record<string, unknown>>)[]> = {
  ...links,
  name: 'posts',
  placeholder: 'id|json',
  expected: () => phrase('an ID, or a JSON object'),
  example: '7',
  emptyColumn: [],
  read: scalar(value => isPlain(value) || (typeof value === 'object' && value !== null)),
  schema: ({ of }) => {
    const inline = reference(of === 'venues' ? 'NewVenue' : 'NewOrganizer')
    return { oneOf: [positive, inline, { type: 'array', items: { oneOf: [positive, inline] } }] }
  },
  answerSchema({ of, multiple }) {
    const record = reference(of === 'venues' ? 'Venue' : 'Organizer')
    return multiple === false ? { oneOf: [record, { type: 'array', maxItems: 0 }] } : { type: 'array', items: record }
  },
  canonical: (answered, field) => linked(answered, field, ids => ids),
  isShown: (asked, { name, answer }) => hasLinks([asked].flat(), answer[name]),
  isExactly: (asked, { name, field, answer }) =>
    field.multiple !== false && Array.isArray(asked)
      ? equal(
          asked,
          linked(answer[name], field, ids => ids),
        )
      : hasLinks([asked].flat(), answer[name]),
  roundTrip: ({ name, answer: { [name]: shown } }) =>
    Array.isArray(shown) ? shown.flatMap(record => (isObject(record) ? [record.id] : [])) : undefined,
  column(value, { of, multiple }, _name, storing) {
    const ids = storing.placeIds(of ?? 'venues', [value].flat())
    return multiple === false ? (ids[0] ?? null) : ids
  },
  unpatched(value, { multiple }) {
    const records = idsIn(value).map(id => ({ id }))
    return multiple === false ? (records[0] ?? []) : records
  },
}

/** The IDs of embedded records. */
function linked(answered: unknown, { multiple }: Field, inOrder: (ids: number[]) => number[]): unknown {
  const ids = [answered]
    .flat()
    .filter(isObject)
    .map(({ id }) => Number(id))
  return multiple === false ? (ids[0] ?? null) : inOrder(ids)
}

function hasLinks(asked: readonly unknown[], shown: unknown): boolean {
  const records = [shown].flat().filter(isObject)
  return records.length === asked.length && asked.every(link => records.some(record => isNamed(record, link)))
}

/** Whether an ID, slug, name or inline record refers to this record. */
function isNamed(record: Record<string, unknown>, link: unknown): boolean {
  if (isObject(link)) return isNamed(record, link.id === undefined ? (link.venue ?? link.organizer) : link.id)
  const keys = [record.id, record.slug, record.name, record.venue, record.organizer]
  return keys.some(key => key !== undefined && sameText(String(key), String(link)))
}

/** `wp/v2` takes neither inline records nor image URLs. */
export function isIdOrNone(value: unknown): boolean {
  return [value].flat().every(one => one === null || one === '' || /^\d+$/.test(String(one)))
}

/** Links as every site takes them: one alone in a field that holds one, a list in the others. */
export function linksAsHeld({ kind, multiple }: Field, value: unknown): unknown {
  if (kind.shape !== 'links' || value === '') return value
  const all = [value].flat()
  return multiple === false ? (all.at(-1) ?? kind.empty) : all
}

function patchedIds(value: unknown, { multiple }: Field): unknown {
  const ids = [value].flat().map(Number).filter(Boolean)
  return multiple === false ? (ids[0] ?? 0) : ids
}

/** "No record" is written as the ID 0. */
const idsIn = (value: unknown): number[] =>
  [value]
    .flat()
    .map(Number)
    .filter(id => id > 0)

export const ids = fieldOf(idsKind)

export const choices = (words: Words, allowed: readonly string[]) => fieldOf(choicesKind)(words, { choices: allowed })

export const terms = <const E extends FieldExtra = object>(of: ResourceName, words: Words, extra?: E) =>
  fieldOf(termsKind)(words, { of, ...extra } as E)

export const posts = <const E extends FieldExtra = object>(of: ResourceName, words: Words, extra?: E) =>
  fieldOf(postsKind)(words, { of, ...extra } as E)
