import { Failure } from '../failure.ts'
import { isObject } from '../text/json.ts'
import { nearest } from '../text/similarity.ts'
import { listOf } from '../text/words.ts'
import { type Level, type Limits, type Rule, type Severity, severities } from './rule.ts'

/** A rule with what the settings say of it. */
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
  const invalid = (what: string, hint: string) => new Failure('settings', `${path}: lint${what}`, { hint })
  if (value === undefined) return { levels, limits }
  const form = 'for example: "lint": {"rules": {"missing-image": "off"}}'
  if (!isObject(value)) throw invalid(': expected an object', form)
  const other = Object.keys(value).find(key => key !== 'rules')
  if (other !== undefined) throw invalid(`: unknown key "${other}"`, form)
  if (!isObject(value.rules)) throw invalid('.rules: expected an object', form)
  for (const [id, setting] of Object.entries(value.rules)) {
    const rule = rules.find(one => one.id === id)
    if (!rule) throw invalid(`.rules: no rule "${id}"`, hintFor(id, rules))
    const [level, own = {}, ...more] = [setting].flat()
    const expected = `expected one of ${listOf(levelWords, 'or')}, or such a word and thresholds`
    if (!isLevel(level) || !isObject(own) || more.length > 0)
      throw invalid(`.rules.${id}: ${expected}`, `for example: "${id}": ["warning"${exampleOf(rule)}]`)
    levels.set(rule, level)
    limits.set(rule, checkedLimits(rule, own, invalid))
  }
  return { levels, limits }
}

const levelWords: readonly string[] = [...severities, 'off']

const isLevel = (value: unknown): value is Level => levelWords.some(word => word === value)

const exampleOf = ({ limits = {} }: Rule): string =>
  Object.keys(limits).length > 0 ? `, ${JSON.stringify(limits)}` : ''

function checkedLimits(
  { id, limits = {} }: Rule,
  own: Readonly<Record<string, unknown>>,
  invalid: (what: string, hint: string) => Failure,
): Limits {
  const names = Object.keys(limits)
  for (const [name, value] of Object.entries(own)) {
    if (!names.includes(name))
      throw invalid(
        `.rules.${id}: no threshold "${name}"`,
        names.length > 0 ? `it has ${listOf(names)}` : 'it has no thresholds',
      )
    if (typeof value !== 'number' || !(value >= 0))
      throw invalid(`.rules.${id}.${name}: expected a number of 0 or more`, `for example: ${limits[name]}`)
  }
  return { ...limits, ...(own as Limits) }
}

const hintFor = (id: string, rules: readonly Rule[]): string => {
  const suggestion = nearest(
    id,
    rules.map(rule => rule.id),
  )
  return suggestion ? `did you mean ${suggestion}?` : 'list the rules with: calctl lint --rules'
}

/** The rules of these IDs; throws `usage` for one that does not exist. */
export function rulesNamed(ids: readonly string[], rules: readonly Rule[]): Rule[] {
  return ids.map(id => {
    const rule = rules.find(one => one.id === id)
    if (!rule) throw new Failure('usage', `no rule "${id}"`, { hint: hintFor(id, rules) })
    return rule
  })
}

/** The level of a rule. */
export const levelOf = (rule: Rule, { levels }: RuleSettings): Level => levels.get(rule) ?? rule.level

/** The thresholds of a rule. */
export const limitsOf = (rule: Rule, { limits }: RuleSettings): Limits => limits.get(rule) ?? rule.limits ?? {}
