import { setFlagsFromString } from 'node:v8'
import { Command, type Option } from 'commander'
import { usage } from '../../base/failure.ts'
import { shellWord } from '../../base/text/escaping.ts'
import { listOf } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import { findingLines, findingRow } from '../../care/lint/finding-text.ts'
import {
  type ActiveRule,
  levelOf,
  limitsOf,
  type RuleSettings,
  readRuleSettings,
  rulesNamed,
  type Severity,
  severities,
} from '../../care/lint/rule.ts'
import { rules } from '../../care/lint/rules.ts'
import { type Finding, resourcesOf, runRules } from '../../care/lint/run-rules.ts'
import type { Fixable } from '../../care/lint/safe-answers.ts'
import type { PlanOptions } from '../../changes/carry-out/front.ts'
import type { Calendar, Client, Values } from '../../client/client.ts'
import { criteriaFor } from '../../client/selection/criteria.ts'
import { resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { isLanguage } from '../../contract/languages.ts'
import type { Resource } from '../../contract/resource.ts'
import { recordCount } from '../../contract/resource-words.ts'
import type { Row } from '../../files/print/printed-rows.ts'
import type { App } from '../app.ts'
import { distinctPairs } from '../profiles/distinct-pairs.ts'
import { readProject } from '../profiles/project-file.ts'
import { spokenName } from '../terminal/spoken-name.ts'
import { wrapSentences } from '../terminal/wrapped-sentences.ts'
import { eachLanguage } from './shared/all-languages.ts'
import { applyPlan } from './shared/apply-plan.ts'
import { buildContext } from './shared/build-context.ts'
import { readCriteria, typedFilters } from './shared/chosen-criteria.ts'
import type { CriteriaOptions } from './shared/criteria-options.ts'
import { commaSeparated } from './shared/options.ts'
import { findingShape, ruleShape } from './shared/output-shapes.ts'
import { planOptions } from './shared/plan-options.ts'

/**
 * `calctl lint`: passes the records to `src/care/lint`, and prints what it finds as soon as it is found. Input: the arguments and options
 * of the command. Output: findings on stdout, and their number on stderr.
 */

/** Checks the selected records, and prints what is wrong with them; with `--fix`, plans and applies the safe answers. */
export async function checkRecords(
  app: App,
  names: readonly ResourceName[],
  options: CheckOptions & Values,
  command: Command,
): Promise<void> {
  checkFixOptions(options)
  // V8 lets long-lived objects grow fourfold before it collects them. With a limit of one and a half, 100,000 events take 190 MB instead of
  // 290, in the same time.
  setFlagsFromString('--heap-growing-percent=50')
  const active = activeRules(app, options)
  const counts: Counts = { records: new Map(), findings: { error: 0, warning: 0, info: 0 }, fixable: 0 }
  const client = await app.client({ toPlan: options.fix === true })
  const wanted = resources.filter(({ name }) => names.length === 0 || names.includes(name))
  const check = { app, client, active, options, counts }
  const found = counting(await findingsOf(check, wanted, names.length > 0), counts)
  if (options.fix) return fixFindings(check, found, sameCheck(app, client.calendar, command, false))
  await printFindings(app, found)
  if (hasFailed(counts.findings, options)) app.status = 1
  await app.notice(summary(counts, sameCheck(app, client.calendar, command, true)))
}

/** A check of a calendar: its rules, and what has been counted so far. */
interface Check {
  readonly app: App
  readonly client: Client
  readonly active: readonly ActiveRule[]
  readonly options: CheckOptions & Values
  readonly counts: Counts
}

async function findingsOf(
  { app, client, active, options, counts }: Check,
  wanted: readonly Resource[],
  areNamed: boolean,
): Promise<AsyncIterable<Finding>> {
  const filters = await typedFilters(wanted, options)
  const criteria = await readCriteria(app, client, { resources: wanted, filters, options })
  const narrowed = wanted.filter(resource => criteriaFor(resource, criteria) !== undefined)
  // A filter by day or by tag is about events, so other records were not asked for.
  const chosen = areNamed || narrowed.length === 0 ? wanted : narrowed
  return runRules({
    client,
    criteria,
    resources: resourcesOf(active.map(({ rule }) => rule)).filter(resource => chosen.includes(resource)),
    languages: await eachLanguage(app, client),
    typedLanguage: isLanguage(app.globals.lang) ? app.globals.lang : undefined,
    rules: active,
    now: app.world.now().getTime(),
    distinct: resource => distinctPairs(readProject(app.world.cwd), client.calendar.id, resource),
    onPage: (resource, records) => counts.records.set(resource, (counts.records.get(resource) ?? 0) + records),
  })
}

/** Whether there are problems that give exit status 1. */
function hasFailed(findings: Counts['findings'], { failOn = 'warning' }: CheckOptions): boolean {
  return severities.slice(0, severities.indexOf(failOn) + 1).some(severity => findings[severity] > 0)
}

/** Plans the safe answers, and applies them like any plan; counts what remains. */
async function fixFindings(check: Check, found: AsyncIterable<Finding>, again: string): Promise<void> {
  const { app, active, counts, options } = check
  const { planSafeAnswers } = await import('../../care/lint/safe-answers.ts')
  const fixable: Fixable[] = []
  const left = { error: 0, warning: 0, info: 0 }
  for await (const { values, severity, resource, record, language } of found)
    if (values === undefined) left[severity] += 1
    else fixable.push({ resource, id: record.id, language })
  const plan = await planSafeAnswers(await buildContext(app), fixable, active)
  await applyPlan(app, plan, options)
  const others = severities.filter(severity => left[severity] > 0)
  const count = others.reduce((sum, severity) => sum + left[severity], 0)
  if (count > 0)
    await app.notice(
      phrase('{findings} {count, plural, one {needs} other {need}} a decision; see: {command}', {
        findings: listOf(others.map(severity => findingCount(left[severity], severity))),
        count,
        command: again,
      }),
    )
  if (hasFailed(options.dryRun ? counts.findings : left, options)) app.status = 1
}

interface Counts {
  readonly records: Map<Resource, number>
  readonly findings: Record<Severity, number>
  fixable: number
}

async function* counting(findings: AsyncIterable<Finding>, counts: Counts): AsyncGenerator<Finding> {
  for await (const finding of findings) {
    counts.findings[finding.severity] += 1
    if (finding.values !== undefined) counts.fixable += 1
    yield finding
  }
}

/** `2 errors and 14 warnings in 412 events and 8 venues` */
function summary({ records, findings, fixable }: Counts, fixCommand: string): string {
  const looked = Array.from(records, ([{ name }, count]) => recordCount(count, name))
  const counts = severities.filter(severity => findings[severity] > 0)
  const places = {
    found:
      counts.length > 0
        ? listOf(counts.map(severity => findingCount(findings[severity], severity)))
        : phrase('no problems found'),
    records: looked.length > 0 ? listOf(looked) : phrase('no records'),
  }
  return fixable === 0
    ? phrase('{found} in {records}', places)
    : phrase('{found} in {records}; {count, plural, one {# is} other {# are}} fixable: {command}', {
        ...places,
        count: fixable,
        command: fixCommand,
      })
}

function findingCount(count: number, severity: Severity): string {
  if (severity === 'error') return phrase('{count, plural, one {# error} other {# errors}}', { count })
  if (severity === 'warning') return phrase('{count, plural, one {# warning} other {# warnings}}', { count })
  return phrase('{count, plural, one {# info} other {# infos}}', { count })
}

async function printFindings(app: App, findings: AsyncIterable<Finding>): Promise<void> {
  const { output, globals, world } = app
  const text = { year: world.now().toISOString().slice(0, 4), hasLanguages: globals.lang === 'all' }
  if (output !== undefined || globals.fields !== undefined) return app.print(findingShape, rowsOf(findings))
  await app.page(async stdout => {
    for await (const line of findingLines(findings, text)) await stdout.write(await wrapSentences(line, stdout))
  })
}

async function* rowsOf(findings: AsyncIterable<Finding>): AsyncGenerator<Row> {
  for await (const finding of findings) yield findingRow(finding)
}

/** Prints the rules with the settings that apply here. */
export async function listRules(app: App, { only }: CheckOptions): Promise<void> {
  const settings = settingsOf(app)
  const rows = (only ? rulesNamed(only, rules) : rules).map(rule => ({
    rule: rule.id,
    severity: levelOf(rule, settings),
    finds: rule.finds(),
    why: rule.why(),
    remedy: rule.remedy(),
    resources: rule.resources,
    thresholds: limitsOf(rule, settings),
    fixable: rule.fixes === true,
  }))
  if (app.output !== undefined || app.globals.fields) return app.print(ruleShape, rows)
  await app.page(async stdout => {
    for (const { rule, severity, finds, why, remedy, thresholds } of rows) {
      const values = Object.entries(thresholds).map(([name, value]) => ` ${name} ${value}`)
      await stdout.write(`${rule} (${spokenName(severity)}${values.length > 0 ? `;${values.join(',')}` : ''})\n`)
      const about = [
        phrase('Finds: {finds}', { finds }),
        phrase('Why: {why}', { why }),
        phrase('Remedy: {remedy}', { remedy }),
      ]
      await stdout.write(await wrapSentences(about.map(line => `  ${line}\n`).join(''), stdout))
    }
  })
}

export interface CheckOptions extends CriteriaOptions, PlanOptions {
  readonly fix?: true
  readonly only?: readonly string[]
  readonly severity?: Severity
  readonly failOn?: Severity
}

/** The options of a plan, which only `--fix` makes. */
const planFlags = (): readonly Option[] => planOptions(new Command()).options

/** Throws `usage` for an option of a plan without `--fix`. */
function checkFixOptions(options: CheckOptions & Values): void {
  const unused = options.fix ? undefined : planFlags().find(flag => options[flag.attributeName()] !== undefined)
  if (unused)
    throw usage(
      phrase('{flag} has no effect without --fix', { flag: unused.long ?? '' }),
      phrase('add --fix, or leave it out'),
    )
}

/** The command line for the same check, with or without `--fix`, and without the options of a plan. */
function sameCheck(app: App, { flags = '' }: Calendar, command: Command, fix: boolean): string {
  const ofPlan = new Set(planFlags().map(option => option.long))
  const chosen = command.options.flatMap(option => {
    const name = option.attributeName()
    const value: unknown = command.getOptionValue(name)
    const isOther = ofPlan.has(option.long) || name === 'fix' || command.getOptionValueSource(name) !== 'cli'
    if (isOther || option.negate !== (value === false)) return []
    if (typeof value === 'boolean') return [option.long]
    const values = option.parseArg === commaSeparated ? [String(value)] : [value].flat().map(String)
    return values.map(text => `${option.long} ${shellWord(text)}`)
  })
  const { lang } = app.globals
  const words = [...command.args, ...(fix ? ['--fix'] : []), ...chosen, ...(lang ? [`--lang ${lang}`] : [])]
  return `calctl lint${words.map(word => ` ${word}`).join('')}${flags}`
}

/** The active rules, with the severities and thresholds from the command line and the project file. */
function activeRules(app: App, options: CheckOptions): ActiveRule[] {
  const settings = settingsOf(app)
  const named = options.only && rulesNamed(options.only, rules)
  const least = lowest(options)
  return rules.flatMap(rule => {
    const isAsked = named?.includes(rule) ?? false
    const severity = severityOf(levelOf(rule, settings), isAsked, least)
    return (named && !isAsked) || severity === undefined ? [] : [{ rule, severity, limits: limitsOf(rule, settings) }]
  })
}

/** The severity of a rule; undefined if it is off. A rule that is named on the command line runs at any level. */
function severityOf(level: Severity | 'off', isAsked: boolean, least: Severity): Severity | undefined {
  if (isAsked) return level === 'off' ? 'warning' : level
  return level === 'off' || severities.indexOf(level) > severities.indexOf(least) ? undefined : level
}

/** The lowest severity to look for: that of `--severity`, or of `--fail-on` if it is lower. */
function lowest({ severity = 'warning', failOn = 'warning' }: CheckOptions): Severity {
  return severities.indexOf(failOn) > severities.indexOf(severity) ? failOn : severity
}

function settingsOf({ world }: App): RuleSettings {
  const { lint, source } = readProject(world.cwd)
  return readRuleSettings(lint, source?.path ?? '.calctl.json', rules)
}
