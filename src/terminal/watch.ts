import { answers } from '../contract/answers.ts'
import { resourceNamed, resources } from '../contract/contract.ts'
import { nearest } from '../text/nearest.ts'
import type { Row, Shape } from './form.ts'
import { isOne, type Printing } from './print.ts'

/** Looks at records as they pass, for what `--fields` names and nothing has. */
export function watchFields(resource: Shape, records: Printing['records'], paths: readonly string[]) {
  const unseen = new Set(paths)
  let count = 0
  const see = (record: Row) => {
    count += 1
    for (const path of unseen) if (mayHave(record, path.split('.'))) unseen.delete(path)
    return record
  }
  async function* passing(all: Exclude<typeof records, Row>) {
    for await (const record of all) yield see(record)
  }
  return {
    records: isOne(records) ? see(records) : passing(records),
    /** What is to be said once all have passed. */
    notices: () => [...unseen].flatMap(path => noticeOf(resource, path, count) ?? []),
  }
}

/** Whether a value has what a path names, or nothing that could have it. */
function mayHave(value: unknown, path: readonly string[]): boolean {
  const [name, ...rest] = path
  if (name === undefined || value === null || value === false || value === '') return true
  if (Array.isArray(value)) return value.length === 0 || value.some(item => mayHave(item, path))
  if (typeof value !== 'object') return false
  const inside = Object.entries(value).find(([key]) => key === name)
  return inside !== undefined && mayHave(inside[1], rest)
}

/** Implementations differ in what they answer, so that a name which the contract knows is no mistake. */
function noticeOf(resource: Shape, path: string, count: number): string | undefined {
  const [top = '', ...rest] = path.split('.')
  const isTopKnown = namesOf(resource).includes(top)
  const known = isTopKnown && rest.length > 0 ? linkedNames(resource, top) : namesOf(resource)
  if (known.includes(path) || (isTopKnown && known.length === 0 && count === 0)) return undefined
  const meant = nearest(path, known)
  return `--fields: nothing is called ${path}${meant ? `; did you mean ${meant}?` : ''}`
}

const inContract = (shape: Shape) => resources.find(resource => resource === shape)

function namesOf(shape: Shape): string[] {
  const resource = inContract(shape)
  const answered = resource ? Object.keys(answers[resource.name].properties) : []
  return [...new Set([...shape.columns, ...Object.keys(shape.fields), ...answered])]
}

/** The paths into a linked record: `venue.city`. */
function linkedNames(shape: Shape, top: string): string[] {
  const linked = inContract(shape)?.fields[top]?.of
  return linked ? namesOf(resourceNamed(linked)).map(name => `${top}.${name}`) : []
}
