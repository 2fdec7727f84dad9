import type { Dialect, Problem, Problems } from './dialect.ts'
import { Refusal } from './refusal.ts'
import type { ParameterValues, Scope } from './request-context.ts'
import type { Endpoint } from './routes.ts'

/**
 * Checks the parameters of an endpoint that were sent. Refuses all that are missing, or else all that are wrong, after the problems
 * with the route.
 */
export async function checkParameters(
  { args, required }: Endpoint,
  parameters: ParameterValues,
  scope: Scope,
  dialect: Dialect,
  routeProblems: Problems = {},
): Promise<ParameterValues> {
  const missing = required.filter(name => !Object.hasOwn(parameters, name) || parameters[name] === null)
  if (missing.length > 0)
    throw new Refusal(400, 'rest_missing_callback_param', `Missing parameter(s): ${missing.join(', ')}`, {
      params: missing,
    })
  const sent = Object.keys(args).filter(name => Object.hasOwn(parameters, name))
  if (sent.length === 0 && Object.keys(routeProblems).length === 0) return {}
  const check = await dialect.loadCheck()
  const values: Record<string, unknown> = {}
  const problems: Record<string, Problem> = { ...routeProblems }
  for (const name of sent) {
    const field = args[name]
    const verdict = field && check(scope, field, parameters[name], name)
    if (verdict && 'problem' in verdict) problems[name] = verdict
    else values[name] = verdict?.value
  }
  if (Object.keys(problems).length > 0) throw dialect.invalid(problems)
  return values
}
