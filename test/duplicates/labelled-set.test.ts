import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  type Candidate,
  createCandidateIndex,
  groupCandidates,
  pairKey,
} from '../../src/care/doubles/find-candidates.ts'
import { resourceNamed } from '../../src/contract/contract.ts'
import type { Answer } from '../../src/contract/resource.ts'
import { type LabelledRecord, makeLabelledSet } from './labelled-set.ts'

const file = join(import.meta.dirname, 'labelled-set.ndjson')

test('the labelled set is what its script makes', async () => {
  const lines = makeLabelledSet().map(record => `${JSON.stringify(record)}\n`)
  await expect(lines.join('')).toMatchFileSnapshot(file)
})

const set = makeLabelledSet()

const threshold = 0.98

interface Measure {
  readonly precision: number
  readonly recall: number
  readonly wrong: readonly string[]
  readonly missed: readonly string[]
}

const measures = new Map<string, Measure>()

function measure(half: LabelledRecord['half']): Measure {
  const known = measures.get(half) ?? measureHalf(half)
  measures.set(half, known)
  return known
}

function measureHalf(half: LabelledRecord['half']): Measure {
  const [right, wrong, missed]: [string[], string[], string[]] = [[], [], []]
  let pairs = 0
  let found = 0
  for (const language of ['ca', 'es', 'en'])
    for (const name of ['venues', 'organizers', 'events', 'categories', 'tags'] as const) {
      const ofList = set.filter(one => one.half === half && one.language === language && one.resource === name)
      const thingOf = new Map(ofList.map(({ record, thing }) => [record.id, thing]))
      const isDouble = (one: Answer, other: Answer) => thingOf.get(one.id) === thingOf.get(other.id)
      const index = createCandidateIndex(resourceNamed(name))
      const candidates: Candidate[] = ofList.flatMap(({ record }) => index.add(record as Answer))
      const named = ({ records: [one, other], score, reasons }: Candidate) =>
        `${JSON.stringify(one)} ${JSON.stringify(other)} ${score} ${reasons.join(', ')}`
      const byPair = new Map(candidates.map(one => [pairKey(one.records[0].id, one.records[1].id), one]))
      for (const group of groupCandidates(candidates, threshold).sure)
        group.forEach((one, index) => {
          for (const other of group.slice(index + 1)) {
            const candidate = byPair.get(pairKey(one.id, other.id)) as Candidate
            ;(isDouble(one, other) ? right : wrong).push(named(candidate))
          }
        })
      ofList.forEach((one, index) => {
        for (const other of ofList.slice(index + 1)) {
          if (one.thing !== other.thing) continue
          pairs += 1
          if (byPair.has(pairKey(one.record.id, other.record.id))) found += 1
          else missed.push(`${JSON.stringify(one.record)} ${JSON.stringify(other.record)}`)
        }
      })
    }
  return {
    precision: right.length / (right.length + wrong.length),
    recall: found / pairs,
    wrong,
    missed,
  }
}

for (const half of ['tuned', 'held back'] as const) {
  test(`--yes merges doubles and hardly anything else: the half that was ${half}`, () => {
    const { precision, wrong } = measure(half)
    expect(precision, wrong.join('\n')).toBeGreaterThanOrEqual(0.98)
  })
  test(`--review asks about nine of ten doubles: the half that was ${half}`, () => {
    const { recall, missed } = measure(half)
    expect(recall, missed.join('\n')).toBeGreaterThanOrEqual(0.9)
  })
}
