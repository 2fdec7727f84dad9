/**
 * `calctl lint`: what is wrong in a calendar. A rule looks at records one by one (`check`, `watch`), or at what is kept of all of them
 * (`compare`, `compareLanguages`), and says what is wrong, with the values that fix it if there is one safe answer. `rules.ts` has all
 * rules, `run-rules.ts` reads the records and yields the findings one by one, so that memory does not grow with the calendar, and
 * `safe-answers.ts` makes a plan of the values. Input: a client, criteria and the settings of the rules. Output: findings.
 */

import { badSettings, type Failure, forExample, usage } from '../../base/failure.ts'
import { isObject } from '../../base/text/json.ts'
import { listOf } from '../../base/text/sentence-parts.ts'
import { nearest } from '../../base/text/similarity.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Client, Values } from '../../client/client.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { Language } from '../../contract/languages.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Brief, Briefs, TranslationFacts } from './brief.ts'

export const severities = ['error', 'warning', 'info'] as const

/** How bad it is: an error is wrong for everybody, a warning is probably wrong, an info could be improved. */
export type Severity = (typeof severities)[number]

/** The severity that a rule gives its findings; a rule that is off finds nothing. */
type Level = Severity | 'off'

/** What is wrong with a record. */
export interface RuleProblem {
  /** A clause about the record: `ends before it starts`. */
  readonly message: string
  readonly field?: string
  /** The one safe answer: an update with these values fixes it. */
  readonly values?: Values
  /** Without a safe answer: the options of an update that fixes it, to be completed, such as `--duration 2h`. */
  readonly update?: string
  /** Another command to type, without `calctl`; by default, people edit the record. */
  readonly command?: string
}

/** What is wrong with a record that has been read before. */
export interface ComparedProblem extends RuleProblem {
  readonly of: Brief
}

/** What rules know besides the records. */
export interface LintContext {
  readonly client: Client
  /** In ms. */
  readonly now: number
  /** The time zone of the site; undefined if unknown. */
  readonly siteZone: string | undefined
  /** Whether answers contain texts as they are stored. Otherwise only `raw` has the stored ones. */
  readonly showsStoredTexts: boolean
  /** Whether the stored texts will be read before anything is written, so that the shown text need only tell that something is wrong. */
  readonly readsStoredTexts: boolean
  /** The thresholds of a rule. */
  limitsOf(rule: Rule): Limits
  /** The languages that are checked, if there are several. */
  readonly languages: readonly Language[]
  /** The pairs of IDs of a resource that somebody said are not the same. */
  distinct(resource: ResourceName): readonly (readonly [number, number])[]
  /** A command line for this calendar, in the language of the records. */
  command(words: string): string
}

/** Thresholds by name. */
type Limits = Readonly<Record<string, number>>

/** One kind of problem. */
export interface Rule {
  readonly id: string
  /** Unless the settings say otherwise. */
  readonly level: Level
  /** What it finds, as a clause: `an event ends before it starts`. */
  finds(): string
  why(): string
  /** How to fix it. */
  remedy(): string
  /** The resources whose records it checks. */
  readonly resources: readonly ResourceName[]
  /** The thresholds and their values, unless the settings say otherwise. */
  readonly limits?: Limits
  /** Whether `--fix` can fix some of what it finds. */
  readonly fixes?: true
  /** Whether all events must be read, even if they were not asked for. */
  readonly readsAllEvents?: true
  /** Loads what the rule needs, before the first record. */
  prepare?(): Promise<void>
  /** Checks one record. */
  check?(record: Answer, resource: Resource, context: LintContext): Iterable<RuleProblem>
  /** Begins to check the records of a resource and a language, one after another, and remembers what it needs of them. */
  watch?(resource: Resource, context: LintContext): (record: Answer) => Iterable<RuleProblem>
  /** Compares the shared facts of records of several languages, after all languages have been read. */
  compareLanguages?(facts: TranslationFacts, context: LintContext): AsyncIterable<ComparedProblem>
  /** Compares what was kept of all records of a language. */
  compare?(briefs: Briefs, context: LintContext): Iterable<ComparedProblem> | AsyncIterable<ComparedProblem>
}

/** A rule with its settings. */
export interface ActiveRule {
  readonly rule: Rule
  readonly severity: Severity
  readonly limits: Limits
}

export interface RuleSettings {
  readonly levels: ReadonlyMap<Rule, Level>
  readonly limits: ReadonlyMap<Rule, Limits>
}

/**
 * Reads `lint` of a project file: `{"rules": {"missing-image": "off", "too-long": ["warning", {"days": 90}]}}`. Throws `settings`
 * for anything else, with its place in the file.
 */
export function readRuleSettings(value: unknown, path: string, rules: readonly Rule[]): RuleSettings {
  const levels = new Map<Rule, Level>()
  const limits = new Map<Rule, Limits>()
  const invalid: Invalid = (place, mistake, hint) => badSettings(`${path}: lint${place}: ${mistake}`, hint)
  if (value === undefined) return { levels, limits }
  const form = forExample('"lint": {"rules": {"missing-image": "off"}}')
  if (!isObject(value)) throw invalid('', phrase('expected an object'), form)
  const other = Object.keys(value).find(key => key !== 'rules')
  if (other !== undefined) throw invalid('', phrase('unknown key "{key}"', { key: other }), form)
  if (!isObject(value.rules)) throw invalid('.rules', phrase('expected an object'), form)
  for (const [id, setting] of Object.entries(value.rules)) {
    const rule = rules.find(one => one.id === id)
    if (!rule) throw invalid('.rules', phrase('no rule "{id}"', { id }), hintFor(id, rules))
    const [level, own = {}, ...more] = [setting].flat()
    const expected = phrase('expected one of {words}, or such a word and thresholds', {
      words: listOf(levelWords, 'or'),
    })
    if (!isLevel(level) || !isObject(own) || more.length > 0)
      throw invalid(`.rules.${id}`, expected, forExample(`"${id}": ["warning"${exampleOf(rule)}]`))
    levels.set(rule, level)
    limits.set(rule, checkedLimits(rule, own, invalid))
  }
  return { levels, limits }
}

type Invalid = (place: string, mistake: string, hint: string) => Failure

const levelWords: readonly string[] = [...severities, 'off']

const isLevel = (value: unknown): value is Level => levelWords.some(word => word === value)

const exampleOf = ({ limits = {} }: Rule): string =>
  Object.keys(limits).length > 0 ? `, ${JSON.stringify(limits)}` : ''

function checkedLimits({ id, limits = {} }: Rule, own: Readonly<Record<string, unknown>>, invalid: Invalid): Limits {
  const names = Object.keys(limits)
  for (const [name, value] of Object.entries(own)) {
    if (!names.includes(name))
      throw invalid(
        `.rules.${id}`,
        phrase('no threshold "{name}"', { name }),
        names.length > 0 ? phrase('it has {names}', { names: listOf(names) }) : phrase('it has no thresholds'),
      )
    if (typeof value !== 'number' || !(value >= 0))
      throw invalid(`.rules.${id}.${name}`, phrase('expected a number of 0 or more'), forExample(String(limits[name])))
  }
  return { ...limits, ...(own as Limits) }
}

const hintFor = (id: string, rules: readonly Rule[]): string => {
  const ids = rules.map(rule => rule.id)
  const suggestion = nearest(id, ids)
  return suggestion
    ? phrase('did you mean {suggestion}?', { suggestion })
    : phrase('list the rules with: calctl lint --rules')
}

/** The rules of these IDs; throws `usage` for one that does not exist. */
export function rulesNamed(ids: readonly string[], rules: readonly Rule[]): Rule[] {
  return ids.map(id => {
    const rule = rules.find(one => one.id === id)
    if (!rule) throw usage(phrase('no rule "{id}"', { id }), hintFor(id, rules))
    return rule
  })
}

/** The level of a rule. */
export const levelOf = (rule: Rule, { levels }: RuleSettings): Level => levels.get(rule) ?? rule.level

/** The thresholds of a rule. */
export const limitsOf = (rule: Rule, { limits }: RuleSettings): Limits => limits.get(rule) ?? rule.limits ?? {}
