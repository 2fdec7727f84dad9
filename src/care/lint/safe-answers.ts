import { type BuildContext, createPlan } from '../../changes/plan/making/context.ts'
import { planUpdates, type RefLine } from '../../changes/plan/making/from-refs.ts'
import type { Invalid, Plan, Step } from '../../changes/plan/plan.ts'
import { concat, createSpool, type ReadonlyList } from '../../changes/plan/spool.ts'
import { resources } from '../../contract/contract.ts'
import { isFreeText } from '../../contract/kinds/text-kinds.ts'
import { withStored } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { ActiveRule, LintContext } from './rule.ts'
import { contextOf } from './run-rules.ts'

/** A record that has a problem with one safe answer; it may have several. */
export type Fixable = Pick<RefLine, 'language'> & { readonly resource: Resource; readonly id: number }

/** How many times the rules check what they have fixed: a text that was decoded may turn out to have open elements. */
const mostRounds = 5

/** Makes the plan of all safe answers: an update for each record, made from the current record with its stored texts. */
export async function planSafeAnswers(
  build: BuildContext,
  fixable: readonly Fixable[],
  rules: readonly ActiveRule[],
): Promise<Plan> {
  const siteZone = await build.client.timezone()
  const context = contextOf({ client: build.client, rules, now: build.now.getTime() }, siteZone)
  let steps: ReadonlyList<Step> = createSpool<Step>()
  const invalid: Invalid[] = []
  let same = 0
  for (const resource of resources) {
    const ofResource = fixable.filter(one => one.resource === resource)
    if (ofResource.length === 0) continue
    const records = new Map(ofResource.map(one => [`${one.language} ${one.id}`, one])).values()
    const lines = Array.from(records, ({ id, language }): RefLine => ({ ref: { id }, language }))
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
