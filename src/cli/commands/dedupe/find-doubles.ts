/**
 * `calctl dedupe`: reads the records of each resource and language, has `src/doubles` pair those that may be duplicates, and
 * lists the pairs, asks about them (`review-pairs.ts`), or merges the certain ones. Input: the arguments and options of the
 * command. Output: pairs on stdout, or one plan of merges, applied as every plan.
 */

import { excluding, Failure } from '../../../base/failure.ts'
import { counted, listOf, nounFor } from '../../../base/text/similarity.ts'
import {
  type Candidate,
  createCandidateIndex,
  groupCandidates,
  leastScore,
  pairKey,
} from '../../../care/doubles/find-candidates.ts'
import { type Merge, planMerges, preferenceOf, preferredFirst } from '../../../care/doubles/merge-plan.ts'
import { trimRecord } from '../../../changes/plan/record-state.ts'
import type { Client } from '../../../client/client.ts'
import { wholeListQuery } from '../../../client/find/whole-lists.ts'
import { languagesToRead } from '../../../client/languages/known-languages.ts'
import { resourceNamed, resources } from '../../../contract/contract.ts'
import type { ResourceName } from '../../../contract/field.ts'
import type { Language } from '../../../contract/languages.ts'
import { type Answer, type Resource, titleOf } from '../../../contract/resource.ts'
import type { App } from '../../app.ts'
import { readProject } from '../../profiles/config.ts'
import { distinctPairs } from '../../profiles/known-refs.ts'
import { applyPlan } from '../shared/apply-plan.ts'
import { pairShape } from '../shared/output-forms.ts'
import { buildContext } from '../shared/plan-from-files.ts'
import type { PlanOptions } from '../shared/plan-options.ts'

export interface DedupeOptions extends PlanOptions {
  readonly review?: true
  readonly threshold?: number
  readonly limit?: number
}

/** `--yes` merges pairs of this score and above. */
const sure = 0.98

/** The pairs of one resource in one language. */
interface PairList {
  readonly resource: Resource
  readonly language: Language | undefined
  readonly candidates: readonly Candidate[]
}

export async function findDoubles(app: App, names: readonly ResourceName[], options: DedupeOptions): Promise<void> {
  const { review, dryRun, threshold, limit } = options
  const merges = review || dryRun || app.globals.yes === true
  checkOptions(app, names, options, merges)
  const client = await app.client({ toPlan: merges })
  const chosen = resources.filter(({ name }) => names.length === 0 || names.includes(name))
  const all = app.globals.lang === 'all' ? await languagesToRead(client) : []
  const lists: PairList[] = []
  for (const resource of chosen)
    for (const language of all.length > 0 ? all : [undefined])
      lists.push({
        resource,
        language,
        candidates: await readCandidates(app, client, { resource, language }, merges, threshold),
      })
  if (!merges) return listPairs(app, client, lists, options)
  for (const { resource, candidates } of lists) {
    const shown = candidates.filter(({ score }) => score >= (threshold ?? leastScore)).slice(0, limit)
    const accepted = review
      ? await (await import('./review-pairs.ts')).reviewPairs(app, client, resource, shown, dryRun)
      : await sureMerges(app, resource, candidates, threshold ?? sure, limit)
    if (accepted.length === 0) {
      await app.notice(`no ${resource.name} to merge`)
      continue
    }
    const context = await buildContext(app)
    // What was confirmed pair by pair is confirmed once more as a whole.
    await applyPlan(app, await planMerges(context, resource, accepted), options)
  }
}

function checkOptions(app: App, names: readonly ResourceName[], { review }: DedupeOptions, merges: boolean): void {
  if (review && app.globals.yes) throw excluding('--review', '--yes')
  if (merges && names.length !== 1)
    throw new Failure('usage', 'cannot merge several resources at once', {
      hint: `name it, for example: calctl dedupe venues ${review ? '--review' : '--yes'}`,
    })
  if (merges && app.globals.lang === 'all') throw excluding('--lang all', review ? '--review' : '--yes')
  if (review && !app.canAsk)
    throw new Failure('declined', 'cannot ask about pairs without a terminal', {
      hint: 'leave out --review to list them, or merge the certain ones with --yes',
    })
}

async function readCandidates(
  app: App,
  client: Client,
  { resource, language }: Pick<PairList, 'resource' | 'language'>,
  merges: boolean,
  threshold = leastScore,
): Promise<Candidate[]> {
  const distinct = distinctPairs(readProject(app.world.cwd), client.calendar.id, resource.name)
  const isDistinct = new Set(distinct.map(([one, other]) => pairKey(one, other)))
  // A threshold above the usual one must not hide what speaks against a group.
  // Merges need whole records; a list has only names, because descriptions would fill the memory.
  const index = createCandidateIndex(resource, Math.min(threshold, leastScore), record =>
    merges ? record : { id: record.id, [resource.title]: record[resource.title] },
  )
  const preferences = new Map<number, number>()
  const candidates: Candidate[] = []
  for await (const { records } of client.pages(resource, wholeListQuery({ resource, language })))
    for (const record of records) {
      const trimmed = trimRecord(resource, record)
      preferences.set(record.id, preferenceOf(resource, trimmed))
      for (const pair of index.add(trimmed)) {
        const [one, other] = pair.records
        const order = (preferences.get(other.id) ?? 0) - (preferences.get(one.id) ?? 0) || one.id - other.id
        candidates.push(order > 0 ? { ...pair, records: [other, one] } : pair)
      }
    }
  return candidates
    .filter(({ records: [one, other] }) => !isDistinct.has(pairKey(one.id, other.id)))
    .toSorted((one, other) => other.score - one.score)
}

async function listPairs(
  app: App,
  client: Client,
  lists: readonly PairList[],
  { threshold = leastScore, limit }: DedupeOptions,
): Promise<void> {
  const all = lists.flatMap(({ language, candidates }) =>
    candidates.filter(({ score }) => score >= threshold).map(candidate => ({ language, ...candidate })),
  )
  const shown = all.slice(0, limit)
  if (all.length > 0) app.status = 1
  await app.print(pairShape, shown.map(pairRow))
  if (shown.length < all.length) await app.notice(`showing ${shown.length} of ${counted(all.length, 'pair')}`)
  const [first] = all
  if (!first) return app.notice('no duplicates found')
  const [one, other] = first.records
  const language = first.language ?? app.globals.lang
  const flags = `${language ? ` --lang ${language}` : ''}${client.calendar.flags ?? ''}`
  const name = first.resource
  await app.notice(
    `merge a pair with: calctl ${name} merge ${one.id} ${other.id}${flags}; decide pair by pair with: calctl dedupe ${name} --review${flags}`,
  )
}

function pairRow({ resource, records: [one, other], score, reasons }: Candidate) {
  const side = (record: Answer) => ({ id: record.id, name: titleOf(resourceNamed(resource), record) })
  return { score, resource, left: side(one), right: side(other), why: reasons.join(', ') }
}

/** The merges of pairs that are sure. */
async function sureMerges(
  app: App,
  resource: Resource,
  candidates: readonly Candidate[],
  threshold: number,
  limit: number | undefined,
): Promise<Merge[]> {
  const { sure, doubtful } = groupCandidates(candidates, threshold)
  for (const group of doubtful.slice(0, 3))
    await app.notice(
      `${resource.name} ${listOf(group.map(({ id }) => String(id)))} were not merged, since some of them do not look alike; decide with --review`,
    )
  const others = candidates.filter(({ score }) => score < threshold).length
  if (others > 0)
    await app.notice(
      `${counted(others, 'less certain pair')} ${nounFor(others, 'was', 'were')} not merged; decide with --review`,
    )
  return sure.slice(0, limit).map(group => {
    const [survivor, ...rest] = preferredFirst(resource, group)
    return { survivor, others: rest } as Merge
  })
}
