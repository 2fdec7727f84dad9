import type { BuildContext } from '../../changes/plan/making/context.ts'
import { planUpdates, type RefLine } from '../../changes/plan/making/from-refs.ts'
import { createPlan, type Invalid, type Plan, type Step } from '../../changes/plan/plan.ts'
import { concat, createSpool, type ReadonlyList } from '../../changes/plan/spool.ts'
import { resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { isFreeText } from '../../contract/kinds/text-kinds.ts'
import type { Language } from '../../contract/languages.ts'
import { withStored } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { ActiveRule, LintContext } from './rule.ts'
import { contextOf, type Finding } from './run-rules.ts'

/** The records that have a problem with one safe answer. */
export interface Fixable {
  add(finding: Finding, language: Language | undefined): void
  linesOf(resource: ResourceName): readonly RefLine[]
}

export function createFixable(): Fixable {
  const found = new Map<ResourceName, Map<string, RefLine>>()
  return {
    add({ resource, record: { id } }, language) {
      const lines = found.get(resource.name) ?? new Map<string, RefLine>()
      lines.set(`${language} ${id}`, { ref: { id }, language })
      found.set(resource.name, lines)
    },
    linesOf: resource => [...(found.get(resource)?.values() ?? [])],
  }
}

/** How many times the rules check what they have fixed: a text that was decoded may turn out to have open elements. */
const mostRounds = 5

/** Makes the plan of all safe answers: an update for each record, made from the current record with its stored texts. */
export async function planSafeAnswers(
  build: BuildContext,
  fixable: Fixable,
  rules: readonly ActiveRule[],
): Promise<Plan> {
  const siteZone = await build.client.timezone()
  const context = contextOf({ client: build.client, rules, now: build.now.getTime() }, siteZone)
  let steps: ReadonlyList<Step> = createSpool<Step>()
  const invalid: Invalid[] = []
  let same = 0
  for (const resource of resources) {
    const lines = fixable.linesOf(resource.name)
    if (lines.length === 0) continue
    const own = rules.filter(({ rule }) => rule.fixes && rule.resources.includes(resource.name))
    const plan = await planUpdates(build, { resource, lines }, textFieldsOf(resource), record => {
      const before = withStoredTexts(record, resource, context)
      const values = safeValues(before, resource, own, context)
      return Object.keys(values).length > 0 ? { before, values } : undefined
    })
    steps = concat(steps, plan.steps)
    invalid.push(...plan.invalid)
    same += plan.same
  }
  return createPlan(build, { steps, same, invalid })
}

/** The fields of which a site may show another form than the stored one. */
const textFieldsOf = ({ fields }: Resource): string[] =>
  Object.entries(fields)
    .filter(([, { kind, secret, queryOnly }]) => isFreeText(kind) && !secret && !queryOnly)
    .map(([name]) => name)

/** Marks texts as stored, if answers contain them in that form, so that an undo restores every character. */
function withStoredTexts(record: Answer, resource: Resource, { showsStoredTexts }: LintContext): Answer {
  if (!showsStoredTexts) return record
  const texts = textFieldsOf(resource).flatMap(name => (typeof record[name] === 'string' ? [[name, record[name]]] : []))
  return withStored(record, Object.fromEntries(texts))
}

function safeValues(before: Answer, resource: Resource, rules: readonly ActiveRule[], context: LintContext) {
  let values: Readonly<Record<string, unknown>> = {}
  for (let round = 0; round < mostRounds; round++) {
    const known = values
    for (const { rule } of rules) {
      const record = withStored({ ...before, ...values }, values)
      for (const problem of rule.check?.(record, resource, context) ?? []) values = { ...values, ...problem.values }
    }
    if (values === known) break
  }
  return values
}
