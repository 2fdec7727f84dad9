import type { Command } from 'commander'
import { Failure, wrongValue } from '../../../base/failure.ts'
import { shellWord } from '../../../base/text/escaping.ts'
import {
  type ActiveRule,
  levelOf,
  limitsOf,
  type RuleSettings,
  readRuleSettings,
  rulesNamed,
  type Severity,
  severities,
} from '../../../care/lint/rule.ts'
import { rules } from '../../../care/lint/rules.ts'
import type { Calendar } from '../../../client/calendar.ts'
import type { App } from '../../app.ts'
import { readProject } from '../../profiles/config.ts'
import type { CriteriaOptions } from '../shared/criteria-options.ts'
import { commaSeparated } from '../shared/options.ts'
import type { PlanOptions } from '../shared/plan-options.ts'

export interface CheckOptions extends CriteriaOptions, PlanOptions {
  readonly fix?: true
  readonly online?: true
  readonly only?: readonly string[]
  readonly severity?: Severity
  readonly failOn?: Severity
  readonly olderThan?: string
}

/** The options of a plan, which only `--fix` makes. */
const planFlags: Readonly<Record<Exclude<keyof PlanOptions, 'kept'>, string>> = {
  dryRun: '--dry-run',
  skipInvalid: '--skip-invalid',
  maxTrash: '--max-trash',
  shard: '--shard',
  jobs: '--jobs',
  rate: '--rate',
  stopAfter: '--stop-after',
  maxWait: '--max-wait',
  wait: '--wait',
  keepGoing: '--keep-going',
  report: '--report',
  errors: '--errors',
}

/** Throws `usage` for an option of a plan where none is made. */
export function checkFixOptions(options: CheckOptions): void {
  if (options.fix) return
  for (const [name, flag] of Object.entries(planFlags) as [keyof typeof planFlags, string][])
    if (options[name] !== undefined)
      throw new Failure('usage', `${flag} has no effect without --fix`, { hint: 'add --fix, or leave it out' })
}

/** The same check as a command to type, with or without `--fix`: the options of a plan are left out. */
export function sameCheck(app: App, { flags = '' }: Calendar, command: Command, fix: boolean): string {
  const chosen = command.options.flatMap(option => {
    const name = option.attributeName()
    const value: unknown = command.getOptionValue(name)
    const isOther = name in planFlags || name === 'fix' || command.getOptionValueSource(name) !== 'cli'
    if (isOther || option.negate !== (value === false)) return []
    if (typeof value === 'boolean') return [option.long]
    const values = option.parseArg === commaSeparated ? [String(value)] : [value].flat().map(String)
    return values.map(text => `${option.long} ${shellWord(text)}`)
  })
  const { lang } = app.globals
  const words = [...command.args, ...(fix ? ['--fix'] : []), ...chosen, ...(lang ? [`--lang ${lang}`] : [])]
  return `calctl lint${words.map(word => ` ${word}`).join('')}${flags}`
}

/** The rules that are on, with the severity and the thresholds that the command line and the project file give them. */
export function activeRules(app: App, options: CheckOptions): ActiveRule[] {
  const settings = settingsOf(app)
  const named = options.only && rulesNamed(options.only, rules)
  const days = options.olderThan === undefined ? undefined : readAge(options.olderThan)
  const least = lowest(options)
  return rules.flatMap(rule => {
    const isAsked = named?.includes(rule) || (days !== undefined && rule.id === 'old-event')
    const level = levelOf(rule, settings)
    if (named && !isAsked) return []
    // What sends requests of its own must be asked for.
    if (rule.online && !options.online) {
      if (!named?.includes(rule)) return []
      throw new Failure('usage', `${rule.id} sends requests of its own`, { hint: 'add --online' })
    }
    // A rule that is asked for by its name finds what it finds, whatever its level.
    const severity = level === 'off' && isAsked ? 'warning' : level
    if (severity === 'off' || (!isAsked && severities.indexOf(severity) > severities.indexOf(least))) return []
    const limits = limitsOf(rule, settings)
    return [{ rule, severity, limits: days !== undefined && rule.id === 'old-event' ? { ...limits, days } : limits }]
  })
}

/** What is not looked for cannot be failed on. */
function lowest({ severity = 'warning', failOn = 'warning' }: CheckOptions): Severity {
  return severities.indexOf(failOn) > severities.indexOf(severity) ? failOn : severity
}

export function settingsOf({ world }: App): RuleSettings {
  const { lint, source } = readProject(world.cwd)
  return readRuleSettings(lint, source?.path ?? '.calctl.json', rules)
}

const daysIn = { d: 1, w: 7, m: 30, y: 365 } as const

function readAge(text: string): number {
  const [, number, unit = 'd'] = /^(\d{1,5})([dwmy])$/.exec(text.trim()) ?? []
  if (number === undefined) throw wrongValue('--older-than', 'a number of days, weeks, months or years', text, '3y')
  return Number(number) * daysIn[unit as keyof typeof daysIn]
}
