import type { Values } from './context.ts'
import type { Manner, Scope } from './manner.ts'
import { Refusal } from './refusal.ts'
import type { Endpoint } from './routes.ts'

/** The parameters of an endpoint that were given, checked. Refuses with all that is missing, or else all that is wrong. */
export async function checkParameters(
  { args, required }: Endpoint,
  parameters: Readonly<Record<string, unknown>>,
  scope: Scope,
  manner: Manner,
): Promise<Values> {
  const missing = required.filter(name => !Object.hasOwn(parameters, name))
  if (missing.length > 0)
    throw new Refusal(400, 'rest_missing_callback_param', `Missing parameter(s): ${missing.join(', ')}`, {
      params: missing,
    })
  const given = Object.entries(args).filter(([name]) => Object.hasOwn(parameters, name))
  if (given.length === 0) return {}
  const check = await manner.loadCheck()
  const verdicts = given.map(([name, field]) => ({ name, ...check(scope, field, parameters[name]) }))
  const problems = verdicts.flatMap(verdict => ('problem' in verdict ? [[verdict.name, verdict.problem]] : []))
  if (problems.length > 0) throw manner.invalid(Object.fromEntries(problems))
  return Object.fromEntries(verdicts.flatMap(verdict => ('value' in verdict ? [[verdict.name, verdict.value]] : [])))
}
