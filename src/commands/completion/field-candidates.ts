import { resourceNamed, resources } from '../../contract/contract.ts'
import type { Field, ResourceName, Shape } from '../../contract/field.ts'
import type { Resource } from '../../contract/resource.ts'
import { after, type Candidate, isPlain, type Offer } from './offer.ts'

export const fieldNames = (resource: Resource | undefined): Candidate[] =>
  (resource ? [resource] : resources).flatMap(({ fields }) =>
    Object.entries(fields).map(([value, field]) => ({ value, about: field.words.en })),
  )

/** The fields of an answer, and those of what it links to. */
export const fieldPaths = (resource: Resource | undefined): Candidate[] => [
  { value: 'id', about: 'ID' },
  ...fieldNames(resource),
  ...Object.entries(resource?.fields ?? {}).flatMap(([name, { of, multiple }]) =>
    of && multiple === false ? fieldNames(resourceNamed(of)).map(within(name)) : [],
  ),
]

const within =
  (name: string) =>
  (candidate: Candidate): Candidate => ({ ...candidate, value: `${name}.${candidate.value}` })

const comparisons = {
  text: ['=', '!=', '~', '!~'],
  order: ['=', '!=', '>', '>=', '<', '<='],
  equality: ['=', '!='],
} as const

const meanings: Readonly<Record<string, string>> = {
  '=': 'is',
  '!=': 'is not',
  '~': 'contains',
  '!~': 'does not contain',
  '>': 'more than, or after',
  '>=': 'at least, or from',
  '<': 'less than, or before',
  '<=': 'at most, or until',
}

const shapeComparisons: Partial<Record<Shape, keyof typeof comparisons>> = {
  number: 'order',
  amount: 'order',
  moment: 'order',
  flag: 'equality',
  picture: 'equality',
  links: 'equality',
}

/** Completions of `--where`: fields, after a complete field its comparisons, and after those the known values. */
export async function conditionOffer(
  resource: Resource | undefined,
  typed: string,
  refsOf: (name: ResourceName) => Promise<Offer>,
): Promise<Offer> {
  const [, begun = '', path = '', value] = /^((\w+(?:\.\w+)?)(?:!=|!~|>=|<=|[=~<>]))(.*)$/s.exec(typed) ?? []
  if (value !== undefined) {
    if (!/[^<>]=$/.test(begun)) return { candidates: [] }
    const { candidates } = await valuesOf(fieldAt(resource, path), refsOf)
    const plain = candidates.filter(({ value }) => isPlain(value))
    return { candidates: plain.map(candidate => ({ ...after(begun, candidate), isOwn: true })) }
  }
  const paths = fieldPaths(resource)
  const whole = typed.replace(/!$/, '')
  const isWhole = paths.some(({ value }) => value === whole)
  const longer = paths.filter(({ value }) => value !== whole)
  return { candidates: isWhole ? [...comparing(resource, whole), ...longer] : paths, goesOn: true }
}

const comparing = (resource: Resource | undefined, path: string): Candidate[] =>
  comparisons[
    path === 'id' ? 'order' : (shapeComparisons[fieldAt(resource, path)?.kind.shape ?? 'prose'] ?? 'text')
  ].map(sign => ({ value: path + sign, about: meanings[sign] ?? '', isOwn: true }))

function fieldAt(resource: Resource | undefined, path: string): Field | undefined {
  const [top = '', inner] = path.split('.')
  const field = (resource ? [resource] : resources).map(({ fields }) => own(fields, top)).find(Boolean)
  return inner === undefined || !field?.of ? field : own(resourceNamed(field.of).fields, inner)
}

const own = (fields: Resource['fields'], name: string): Field | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined

async function valuesOf(field: Field | undefined, refsOf: (name: ResourceName) => Promise<Offer>): Promise<Offer> {
  const none = { value: 'none', about: 'no value' }
  if (field?.kind.shape === 'flag') return { candidates: [{ value: 'true' }, { value: 'false' }] }
  if (field?.choices) return { candidates: field.choices.map(value => ({ value })) }
  const refs = field?.of ? await refsOf(field.of) : { candidates: [] }
  return { candidates: [...refs.candidates, none] }
}
