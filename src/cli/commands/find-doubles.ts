import { declined, excluding, usage } from '../../base/failure.ts'
import { decodeEntities, sanitizeLine } from '../../base/text/escaping.ts'
import { listOf } from '../../base/text/sentence-parts.ts'
import { interfaceLanguage, phrase } from '../../base/words/phrase.ts'
import {
  type Candidate,
  createCandidateIndex,
  groupCandidates,
  leastScore,
  pairKey,
} from '../../care/doubles/find-candidates.ts'
import {
  differingFields,
  type FieldSources,
  fieldsToFill,
  type Merge,
  mergeableFields,
  planMerges,
  preferenceOf,
  preferredFirst,
} from '../../care/doubles/merge-plan.ts'
import type { PlanOptions } from '../../changes/carry-out/front.ts'
import { trimRecord } from '../../changes/plan/record-state.ts'
import type { Client } from '../../client/client.ts'
import { wholeListQuery } from '../../client/find/whole-lists.ts'
import { resourceNamed, resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { equal } from '../../contract/kinds/kind-values.ts'
import type { Language } from '../../contract/languages.ts'
import { type Answer, type Resource, titleOf } from '../../contract/resource.ts'
import { cellText } from '../../files/print/printed-rows.ts'
import type { App } from '../app.ts'
import { distinctPairs, rememberDistinct } from '../profiles/distinct-pairs.ts'
import { readProject } from '../profiles/project-file.ts'
import { columnHeading } from '../terminal/column-headings.ts'
import { writeLines } from '../terminal/sentences.ts'
import { linesWithin, pad, shorten } from '../terminal/table.ts'
import { eachLanguage } from './shared/all-languages.ts'
import { applyPlan } from './shared/apply-plan.ts'
import { buildContext } from './shared/build-context.ts'
import type { VerbContext } from './shared/options.ts'
import { pairShape } from './shared/output-shapes.ts'

/**
 * `calctl dedupe`: reads the records of each resource and language, has `src/care/doubles` pair possible duplicates, and lists the pairs,
 * asks about them, or merges the certain ones. Input: the arguments and options of the command. Output: pairs on stdout, or one plan of
 * merges, which is applied like any plan.
 */

export interface DedupeOptions extends PlanOptions {
  readonly review?: true
  readonly threshold?: number
  readonly limit?: number
}

/** `--yes` merges pairs with at least this score. */
const sure = 0.98

/** The pairs of one resource in one language. */
interface PairList {
  readonly resource: Resource
  readonly language: Language | undefined
  readonly candidates: readonly Candidate[]
}

export async function findDoubles(app: App, names: readonly ResourceName[], options: DedupeOptions): Promise<void> {
  const { review, dryRun, threshold } = options
  const merges = review || dryRun || app.globals.yes === true
  checkOptions(app, names, options, merges)
  const client = await app.client({ toPlan: merges })
  const chosen = resources.filter(({ name }) => names.length === 0 || names.includes(name))
  const lists: PairList[] = []
  const languages = await eachLanguage(app, client)
  for (const resource of chosen)
    for (const language of languages) {
      const candidates = await readCandidates({ app, client, resource }, language, { merges, threshold })
      lists.push({ resource, language, candidates })
    }
  if (!merges) return listPairs(app, client, lists, options)
  for (const list of lists) await mergePairs(app, client, list, options)
}

async function mergePairs(app: App, client: Client, list: PairList, options: DedupeOptions): Promise<void> {
  const { resource, candidates } = list
  const { review, dryRun, threshold, limit } = options
  const shown = candidates.filter(({ score }) => score >= (threshold ?? leastScore)).slice(0, limit)
  const accepted = review
    ? await reviewPairs(app, resource, shown, dryRun ? undefined : client.calendar.id)
    : (await sureMerges(app, resource, candidates, threshold ?? sure)).slice(0, limit)
  if (accepted.length === 0) return app.notice(phrase('no {resource} to merge', { resource: resource.name }))
  const context = await buildContext(app)
  // The pairs were confirmed one by one; this confirms the whole plan.
  await applyPlan(app, await planMerges(context, resource, accepted), options)
}

function checkOptions(app: App, names: readonly ResourceName[], { review }: DedupeOptions, merges: boolean): void {
  if (review && app.globals.yes) throw excluding('--review', '--yes')
  if (merges && names.length !== 1)
    throw usage(
      phrase('cannot merge several resources at once'),
      phrase('name it, for example: {command}', { command: `calctl dedupe venues ${review ? '--review' : '--yes'}` }),
    )
  if (merges && app.globals.lang === 'all') throw excluding('--lang all', review ? '--review' : '--yes')
  if (review && !app.canAsk)
    throw declined(
      phrase('cannot ask about pairs without a terminal'),
      phrase('leave out --review to list them, or merge the certain ones with --yes'),
    )
}

async function readCandidates(
  { app, client, resource }: VerbContext,
  language: Language | undefined,
  { merges, threshold = leastScore }: { readonly merges: boolean; readonly threshold: number | undefined },
): Promise<Candidate[]> {
  const distinct = distinctPairs(readProject(app.world.cwd), client.calendar.id, resource.name)
  const isDistinct = new Set(distinct.map(([one, other]) => pairKey(one, other)))
  // A threshold above the usual one must not hide the reasons against a group. Merges need whole records; a list needs only names, because
  // descriptions would fill the memory.
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

async function listPairs(app: App, client: Client, lists: readonly PairList[], options: DedupeOptions): Promise<void> {
  const { threshold = leastScore, limit } = options
  const all = lists.flatMap(({ language, candidates }) =>
    candidates.filter(({ score }) => score >= threshold).map(candidate => ({ language, ...candidate })),
  )
  const shown = all.slice(0, limit)
  if (all.length > 0) app.status = 1
  await app.print(pairShape, shown.map(pairRow))
  if (shown.length < all.length)
    await app.notice(
      phrase('showing {count} of {total, plural, one {# pair} other {# pairs}}', {
        count: shown.length,
        total: all.length,
      }),
    )
  const [first] = all
  if (!first) return app.notice(phrase('no duplicates found'))
  const [one, other] = first.records
  const language = first.language ?? app.globals.lang
  const flags = `${language ? ` --lang ${language}` : ''}${client.calendar.flags ?? ''}`
  const name = first.resource
  await app.notice(
    phrase('merge a pair with: {merge}; decide pair by pair with: {review}', {
      merge: `calctl ${name} merge ${one.id} ${other.id}${flags}`,
      review: `calctl dedupe ${name} --review${flags}`,
    }),
  )
}

function pairRow({ resource, records: [one, other], score, reasons }: Candidate) {
  const side = (record: Answer) => ({ id: record.id, title: titleOf(resourceNamed(resource), record) })
  return { score, resource, first: side(one), second: side(other), why: reasons.join(', ') }
}

/** The merges of pairs that are sure. */
async function sureMerges(app: App, resource: Resource, candidates: readonly Candidate[], threshold: number) {
  const { sure, doubtful } = groupCandidates(candidates, threshold)
  for (const group of doubtful.slice(0, 3))
    await app.notice(
      phrase('{resource} {list} were not merged, because some of them differ; decide with --review', {
        resource: resource.name,
        list: listOf(group.map(({ id }) => String(id))),
      }),
    )
  const others = candidates.filter(({ score }) => score < threshold).length
  if (others > 0)
    await app.notice(
      phrase(
        '{count, plural, one {# less certain pair was} other {# less certain pairs were}} not merged; decide with --review',
        { count: others },
      ),
    )
  return sure.map(group => {
    const [survivor, ...rest] = preferredFirst(resource, group)
    return { survivor, others: rest } as Merge
  })
}

/** The meaning of each letter, short enough that all of them fit on one line. */
const answers = () => ({
  l: phrase('keep left'),
  r: phrase('keep right'),
  m: phrase('merge'),
  n: phrase('not the same'),
  s: phrase('skip'),
  q: phrase('stop'),
})

/** A record that is kept, with its future values and the records that it replaces. */
interface Survivor extends Merge {
  readonly record: Answer
  readonly sources: FieldSources
}

/**
 * Asks about each pair; returns the merges of those that are the same. Pairs that are not are remembered at once, if a store for the
 * calendar is given.
 */
async function reviewPairs(
  app: App,
  resource: Resource,
  candidates: readonly Candidate[],
  calendar: string | undefined,
): Promise<Merge[]> {
  const { askOneOf, meaningsOf } = await import('../terminal/prompts.ts')
  if (candidates.length > 0) await app.world.stderr.write(`${meaningsOf(answers())}\n`)
  const survivors = new Map<number, Survivor>()
  const survivorOf = (record: Answer) =>
    survivors.get(record.id) ?? { record, survivor: record, others: [], sources: {} }
  for (const [index, candidate] of candidates.entries()) {
    const [left, right] = candidate.records.map(survivorOf)
    // Earlier pairs may already have put both into one group.
    if (!left || !right || left.survivor.id === right.survivor.id) continue
    const heading = phrase('{number} of {total}: {reasons}', {
      number: index + 1,
      total: candidates.length,
      reasons: whyOf(candidate),
    })
    await show(app, resource, [left.record, right.record], heading)
    const answer = await askOneOf(app.world, phrase('Are they the same?'), answers())
    if (answer === 'q') break
    const [one, other] = candidate.records
    if (answer === 'n' && calendar !== undefined)
      await rememberDistinct(app.world, calendar, resource.name, [one.id, other.id])
    if (answer === 's' || answer === 'n') continue
    const union = await unionOf(app, resource, [left, right], answer)
    for (const { id } of [union.survivor, ...union.others]) survivors.set(id, union)
  }
  return [...new Set(survivors.values())]
}

const whyOf = ({ reasons, score }: Candidate): string => `${reasons.join(', ')} (${score})`

/** The result for a pair whose left or right record is kept, or that is merged. */
async function unionOf(app: App, resource: Resource, pair: readonly [Survivor, Survivor], answer: 'l' | 'r' | 'm') {
  const [left, right] = pair
  const [survivor, duplicate] = answer === 'r' ? [right, left] : [left, right]
  const sources = answer === 'm' ? await askFields(app, resource, survivor.record, duplicate.record) : {}
  return join(survivor, duplicate, sources)
}

/** `duplicate` may itself have replaced other records and taken fields from them. */
function join(survivor: Survivor, duplicate: Survivor, sources: FieldSources): Survivor {
  const origins = Object.fromEntries(
    Object.keys(sources).map(name => [name, duplicate.sources[name] ?? duplicate.survivor.id]),
  )
  const values = Object.fromEntries(Object.keys(sources).map(name => [name, duplicate.record[name]]))
  return {
    record: { ...survivor.record, ...values },
    survivor: survivor.survivor,
    others: [...survivor.others, duplicate.survivor, ...duplicate.others],
    sources: { ...survivor.sources, ...origins },
  }
}

/** The fields that the kept record takes over: those that it lacks and, of those that differ, the ones that the user chooses. */
async function askFields(app: App, resource: Resource, survivor: Answer, duplicate: Answer): Promise<FieldSources> {
  const { askOneOf } = await import('../terminal/prompts.ts')
  const sources: Record<string, number> = { ...fieldsToFill(resource, survivor, [duplicate]) }
  for (const name of differingFields(resource, survivor, duplicate)) {
    const [left, right] = [survivor, duplicate].map(record => shorten(textOf(record[name]), 60))
    const side = await askOneOf(
      app.world,
      phrase('{field}: {left}, or {right}?', { field: labelOf(resource, name), left: left ?? '', right: right ?? '' }),
      { l: phrase('keep left'), r: phrase('keep right') },
    )
    if (side === 'r') sources[name] = duplicate.id
  }
  return sources
}

const labelOf = (resource: Resource, name: string): string =>
  interfaceLanguage() === 'en' ? name.replaceAll('_', ' ') : columnHeading(name, resource)

const textOf = (value: unknown): string =>
  [value]
    .flat()
    .map(one => sanitizeLine(decodeEntities(cellText(one))))
    .join(', ')

const labelWidth = 14
const mostLines = 3

/** Shows two records side by side; `≠` marks the fields that differ. */
async function show(app: App, resource: Resource, pair: readonly [Answer, Answer], heading: string): Promise<void> {
  const { world } = app
  const width = Math.max(16, Math.floor(((world.stderr.columns || 100) - labelWidth - 4) / 2))
  const names = [
    'id',
    resource.title,
    ...(resource.fields.start_date ? ['start_date', 'end_date'] : []),
    'status',
    'slug',
  ]
  const all = [...names, ...mergeableFields(resource).map(([name]) => name)]
  const lines = ['', heading, ...all.flatMap(name => fieldLines(resource, name, pair, width))]
  await writeLines(app, lines, world.stderr)
}

/** A field of two records, in as many lines as needed; none if both lack it. */
function fieldLines(resource: Resource, name: string, pair: readonly [Answer, Answer], width: number): string[] {
  const texts = pair.map(record => textOf(record[name]))
  if (texts.every(text => text === '')) return []
  const [left = [], right = []] = texts.map(text => linesWithin(text, width, mostLines))
  const sign = name === 'id' || equal(texts[0], texts[1]) ? ' ' : '≠'
  const first = `${sign} ${pad(labelOf(resource, name), labelWidth)}`
  const next = ' '.repeat(labelWidth + 2)
  return Array.from({ length: Math.max(left.length, right.length) }, (_, row) =>
    `${row === 0 ? first : next} ${pad(left[row] ?? '', width)} ${right[row] ?? ''}`.trimEnd(),
  )
}
