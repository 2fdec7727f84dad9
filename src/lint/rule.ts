/**
 * `calctl lint`: what is wrong in a calendar. A rule looks at one record (`check`), or at what is kept of all of them (`compare`), and
 * says what is the matter, with the values that fix it if there is one safe answer. `rules.ts` has all rules, `run-rules.ts`
 * reads the records and yields the findings one by one, so that memory does not grow with the calendar, and `safe-answers.ts` makes a
 * plan of the values. Input: a client, criteria and the settings of the rules. Output: findings.
 */
import type { Client, Values } from '../client/client.ts'
import type { ResourceName } from '../contract/field.ts'
import type { Language } from '../contract/languages.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import type { Brief, Briefs, TranslationFacts } from './brief.ts'
import type { LinkProbe } from './link-probe.ts'

export const severities = ['error', 'warning', 'info'] as const

/** How bad it is: an error is wrong for everybody, a warning is probably wrong, an info could be better. */
export type Severity = (typeof severities)[number]

/** The severity that a rule gives its findings; a rule that is off finds nothing. */
export type Level = Severity | 'off'

/** What is wrong with a record. */
export interface Problem {
  /** A clause about the record: `ends before it starts`. */
  readonly message: string
  readonly field?: string
  /** The one safe answer: an update with these values fixes it. */
  readonly values?: Values
  /** What to type where there is no safe answer, or to see more. */
  readonly suggestion?: string | undefined
}

/** What is wrong with a record that has been read before. */
export interface ComparedProblem extends Problem {
  readonly of: Brief
}

/** What rules know beside the records. */
export interface LintContext {
  readonly client: Client
  /** In ms. */
  readonly now: number
  /** Of the site; undefined if it does not say. */
  readonly siteZone: string | undefined
  /** Whether texts are answered as they are stored. Where they are not, only `raw` has the stored ones. */
  readonly showsStoredTexts: boolean
  /** Whether the stored texts will be read before anything is written, so that what is shown need only tell that something is wrong. */
  readonly readsStoredTexts: boolean
  /** The thresholds of a rule. */
  limitsOf(rule: Rule): Limits
  /** The languages that are looked at, if they are several. */
  readonly languages: readonly Language[]
  /** Looks at addresses on the web; undefined without `--online`. */
  readonly probe: LinkProbe | undefined
  readonly notice: (text: string) => Promise<void>
  /** The pairs of IDs of a resource that somebody said are not the same. */
  distinct(resource: ResourceName): readonly (readonly [number, number])[]
  /** A command line about this calendar, in the language of the records. */
  command(words: string): string
  /** An update of a record, to be completed. */
  updateOf(resource: Resource, record: Pick<Answer, 'id'>, words: string): string
}

/** Thresholds by name. */
export type Limits = Readonly<Record<string, number>>

/** One kind of problem. */
export interface Rule {
  readonly id: string
  /** Unless the settings say otherwise. */
  readonly level: Level
  /** What it finds, as a clause: `an event ends before it starts`. */
  readonly finds: string
  readonly why: string
  /** How to fix it. */
  readonly remedy: string
  /** Whose records it finds something wrong with. */
  readonly resources: readonly ResourceName[]
  /** The thresholds and their values, unless the settings say otherwise. */
  readonly limits?: Limits
  /** Whether `--fix` has an answer to some of what it finds. */
  readonly fixes?: true
  /** Whether all events must be read, those too that were not asked for. */
  readonly readsAllEvents?: true
  /** Whether it sends requests of its own: only with `--online`. */
  readonly online?: true
  /** Loads what the rule needs, before the first record. */
  prepare?(): Promise<void>
  /** Looks at one record. */
  check?(record: Answer, resource: Resource, context: LintContext): Iterable<Problem>
  /** Starts to look at the records of a resource and a language, one after another, and remembers what it needs of them. */
  watch?(resource: Resource, context: LintContext): (record: Answer) => Iterable<Problem>
  /** Looks at what records of several languages have in common, once all languages have been read. */
  compareLanguages?(facts: TranslationFacts, context: LintContext): AsyncIterable<ComparedProblem>
  /** Looks at what was kept of all records of a language. */
  compare?(briefs: Briefs, context: LintContext): Iterable<ComparedProblem> | AsyncIterable<ComparedProblem>
}
