import type { Dialect, Problems } from './dialect.ts'
import { Refusal } from './refusal.ts'
import type { ParameterValues, Scope } from './request-context.ts'
import type { Endpoint } from './routes.ts'

/**
 * The parameters of an endpoint that were given, checked. Refuses with all that is missing, or else all that is wrong, with what
 * was wrong with the route before them.
 */
export async function checkParameters(
  { args, required }: Endpoint,
  parameters: ParameterValues,
  scope: Scope,
  dialect: Dialect,
  ofRoute: Problems = {},
): Promise<ParameterValues> {
  const missing = required.filter(name => !Object.hasOwn(parameters, name) || parameters[name] === null)
  if (missing.length > 0)
    throw new Refusal(400, 'rest_missing_callback_param', `Missing parameter(s): ${missing.join(', ')}`, {
      params: missing,
    })
  const given = Object.keys(args).filter(name => Object.hasOwn(parameters, name))
  if (given.length === 0 && Object.keys(ofRoute).length === 0) return {}
  const check = await dialect.loadCheck()
  const values: Record<string, unknown> = {}
  const problems: Record<string, string> = { ...ofRoute }
  for (const name of given) {
    const field = args[name]
    const verdict = field && check(scope, field, parameters[name], name)
    if (verdict && 'problem' in verdict) problems[name] = verdict.problem
    else values[name] = verdict?.value
  }
  if (Object.keys(problems).length > 0) throw dialect.invalid(problems)
  return values
}
