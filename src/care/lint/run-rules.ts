import { showsStored } from '../../client/adapters/shown-stored-records.ts'
import type { Client } from '../../client/client.ts'
import { wholeListQuery } from '../../client/find/whole-lists.ts'
import { type Criteria, criteriaFor, select, selectedPages } from '../../client/selection/criteria.ts'
import { resourceNamed, resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { Language } from '../../contract/languages.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import {
  addFeaturedImage,
  type Brief,
  type Briefs,
  briefOf,
  countLinks,
  createShared,
  type EventBrief,
  emptyBriefs,
  keepBrief,
  type TranslationFacts,
} from './brief.ts'
import type { ActiveRule, ComparedProblem, LintContext, Rule, RuleProblem, Severity } from './rule.ts'
import { isComing } from './times.ts'
import { createTranslationFacts } from './translation-facts.ts'

/** A problem of a record, by a rule. */
export interface Finding extends Omit<RuleProblem, 'update' | 'command'> {
  /** What to type if there is no safe answer, or to see more. */
  readonly suggestion?: string
  readonly severity: Severity
  readonly rule: Rule
  readonly resource: Resource
  readonly record: FindingRecord
  /** The language that the record was asked for in; undefined for the client's own. */
  readonly language: Language | undefined
}

/** What a finding says about its record; only events have a start. */
type FindingRecord = Pick<Brief, 'id' | 'lang_code' | 'name'> &
  Partial<Pick<EventBrief, 'start' | 'isWholeDay' | 'venueName'>> & {
    /** The page of the record; absent where only what is compared was kept. */
    readonly url?: string | undefined
  }

export interface LintOptions {
  readonly client: Client
  readonly resources: readonly Resource[]
  /** Undefined stands for the client's own language. */
  readonly languages: readonly (Language | undefined)[]
  /** The value of `--lang`, which suggested commands repeat. */
  readonly typedLanguage?: Language | undefined
  readonly criteria: Criteria
  readonly rules: readonly ActiveRule[]
  /** In ms. */
  readonly now: number
  /** The pairs of IDs that somebody said are not the same. */
  readonly distinct?: LintContext['distinct']
  /** Counts the checked records. */
  readonly onPage?: (resource: Resource, records: number) => void
}

/**
 * Checks all records that the criteria select, page by page, and yields what the rules find: first what is wrong with each record and,
 * after the last record of a language, what only a comparison shows. Records are compared with other selected ones.
 */
export async function* runRules(options: LintOptions): AsyncGenerator<Finding> {
  for (const { rule } of options.rules) await rule.prepare?.()
  const facts = options.languages.length > 1 ? createTranslationFacts() : undefined
  const siteZone = await options.client.timezone()
  for (const language of options.languages) {
    const readsStoredTexts = await showsStored(options.client, { resource: resourceNamed('events'), language })
    const context = { ...contextOf(options, siteZone, language), readsStoredTexts }
    const reading = { ...options, language, context, facts }
    const hasLanguage = yield* findingsIn(reading)
    // A site whose records have no language returns the same ones in every language.
    if (!hasLanguage) return
  }
  if (facts) yield* translationProblems(facts, options, siteZone)
}

/** What the rules find in one language; returns whether the records say theirs. */
async function* findingsIn(reading: Reading): AsyncGenerator<Finding, boolean> {
  const { language } = reading
  const briefs = emptyBriefs(reading.rules.some(({ rule }) => rule.readsAllEvents))
  let hasLanguage = true
  for (const resource of reading.resources) {
    const checks = checksOf(resource, reading)
    for await (const record of recordsOf(resource, reading, briefs)) {
      hasLanguage = record.lang_code !== undefined
      for (const { check, ...active } of checks)
        for (const problem of check(record))
          yield findingOf(
            problem,
            active,
            { resource, language, record: findingRecord(record, resource) },
            reading.context,
          )
    }
  }
  if (briefs.uses && !readsAllEvents(reading)) await countAllUses(reading, briefs)
  yield* comparisons(briefs, reading)
  return hasLanguage
}

/** Whether the rules check all events. */
const readsAllEvents = ({ resources, criteria }: LintOptions): boolean => {
  const events = resources.find(({ name }) => name === 'events')
  return events !== undefined && criteriaFor(events, criteria) === undefined
}

interface Reading extends LintOptions {
  readonly language: Language | undefined
  readonly context: LintContext
  /** Undefined for one language. */
  readonly facts: TranslationFacts | undefined
}

async function* recordsOf(resource: Resource, reading: Reading, briefs: Briefs): AsyncGenerator<Answer> {
  const { client, criteria, language, onPage } = reading
  const keep = createKeeper(resource, reading, briefs)
  const selection = await select(client, resource, criteria)
  const query = (filters: object) => wholeListQuery({ resource, language }, { ...filters })
  for await (const { records } of selectedPages(client, resource, selection, query)) {
    onPage?.(resource, records.length)
    for (const record of records) {
      keep(record)
      yield record
    }
  }
}

/** Keeps what the rules compare of each record. */
function createKeeper(resource: Resource, reading: Reading, briefs: Briefs): (record: Answer) => void {
  const { language, context, facts } = reading
  const rules = reading.rules.map(({ rule }) => rule).filter(rule => rule.resources.includes(resource.name))
  const comparesLanguages = rules.some(rule => rule.compareLanguages)
  const compares = comparesLanguages || rules.some(rule => rule.compare)
  const countsUses = resource.name === 'events' && readsAllEvents(reading)
  const shared = createShared()
  return record => {
    if (countsUses) countLinks(briefs, record)
    if (!compares) return
    const brief = keepBrief(briefs, resource, record, shared)
    if (comparesLanguages) facts?.add(resource, record, brief, language)
    if (isComing(record, context)) addFeaturedImage(briefs, brief, record)
  }
}

async function countAllUses({ client, language }: Reading, briefs: Briefs): Promise<void> {
  const resource = resourceNamed('events')
  for await (const { records } of client.pages(resource, wholeListQuery({ resource, language })))
    for (const record of records) countLinks(briefs, record)
}

type ActiveSeverity = Pick<ActiveRule, 'rule' | 'severity'>

/** What the rules check in each record of a resource. */
const checksOf = (resource: Resource, { rules, context }: Reading) =>
  rules
    .filter(({ rule }) => rule.resources.includes(resource.name))
    .map(({ rule, severity }) => ({
      rule,
      severity,
      check: rule.watch?.(resource, context) ?? ((record: Answer) => rule.check?.(record, resource, context) ?? []),
    }))

const findingRecord = (record: Answer, resource: Resource): FindingRecord => ({
  ...recordOfBrief(briefOf(resource, record)),
  url: String(record.url ?? ''),
})

function recordOfBrief(brief: Brief): FindingRecord {
  const { id, lang_code, name } = brief
  if (brief.resource !== 'events') return { id, lang_code, name }
  const { start, isWholeDay, venueName } = brief as EventBrief
  return { id, lang_code, name, start, isWholeDay, venueName }
}

async function* comparisons(briefs: Briefs, { rules, context, language }: Reading): AsyncGenerator<Finding> {
  for (const active of rules)
    for await (const problem of active.rule.compare?.(briefs, context) ?? [])
      yield comparedFinding(problem, active, language, context)
}

type ContextOptions = Pick<LintOptions, 'client' | 'rules' | 'now'> & Partial<LintOptions>

async function* translationProblems(
  facts: TranslationFacts,
  options: LintOptions,
  siteZone: string | undefined,
): AsyncGenerator<Finding> {
  const context = contextOf(options, siteZone)
  for (const active of options.rules)
    for await (const problem of active.rule.compareLanguages?.(facts, context) ?? [])
      yield comparedFinding(problem, active, problem.of.lang_code, context)
}

const comparedFinding = (
  { of, ...problem }: ComparedProblem,
  active: ActiveSeverity,
  language: Language | undefined,
  context: LintContext,
): Finding =>
  findingOf(problem, active, { resource: resourceNamed(of.resource), record: recordOfBrief(of), language }, context)

function findingOf(
  { update, command, ...problem }: RuleProblem,
  { rule, severity }: ActiveSeverity,
  found: Pick<Finding, 'resource' | 'record' | 'language'>,
  context: LintContext,
): Finding {
  const { resource, record } = found
  const change = update === undefined ? `get ${record.id}` : `update ${record.id} ${update}`
  const suggestion = context.command(command ?? `${resource.name} ${change}`)
  return { ...problem, ...found, rule, severity, ...(problem.values === undefined && { suggestion }) }
}

/** What rules know besides the records of a language. */
export function contextOf(
  { client, rules, now, typedLanguage, languages = [], distinct = () => [] }: ContextOptions,
  siteZone: string | undefined,
  language = client.language ?? typedLanguage,
): LintContext {
  const limits = new Map(rules.map(active => [active.rule, active.limits]))
  const { flags = '' } = client.calendar
  const ending = `${language === undefined ? '' : ` --lang ${language}`}${flags}`
  return {
    client,
    now,
    siteZone,
    showsStoredTexts: client.capabilities.showsStoredTexts,
    readsStoredTexts: false,
    languages: languages.flatMap(one => one ?? []),
    distinct,
    limitsOf: rule => limits.get(rule) ?? {},
    command: words => `calctl ${words}${ending}`,
  }
}

/** The resources that any of the rules checks. */
export const resourcesOf = (rules: readonly Rule[]): Resource[] => {
  const names = new Set<ResourceName>(rules.flatMap(rule => rule.resources))
  return resources.filter(({ name }) => names.has(name))
}
