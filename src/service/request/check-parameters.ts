import type { Field } from '../../contract/field.ts'
import { isFilter } from '../../contract/filter.ts'
import type { Context, ParameterValues, Problems, RequestProblem, Scope, Verdict } from '../dialect.ts'
import type { Endpoint } from '../endpoints.ts'
import { Refusal } from '../refusal.ts'

type Checking = Scope & Pick<Context, 'parameters' | 'dialect'>

/**
 * Checks the parameters of an endpoint that were sent. Refuses all that are missing, or else all that are wrong, after the problems
 * with the route.
 */
export function checkParameters(endpoint: Endpoint, context: Checking, routeProblems: Problems = {}): ParameterValues {
  const { args, readers = {}, required } = endpoint
  const { parameters, dialect } = context
  const missing = required.filter(name => !Object.hasOwn(parameters, name) || parameters[name] === null)
  if (missing.length > 0)
    throw new Refusal(400, 'rest_missing_callback_param', `Missing parameter(s): ${missing.join(', ')}`, {
      params: missing,
    })
  const values: Record<string, unknown> = {}
  const problems: Record<string, RequestProblem> = { ...routeProblems }
  const take = (name: string, verdict: Verdict) => {
    if ('problem' in verdict) problems[name] = verdict
    else values[name] = verdict.value
  }
  for (const [name, field] of Object.entries(args))
    if (Object.hasOwn(parameters, name)) take(name, checkField(context, field, name))
  for (const [name, read] of Object.entries(readers))
    if (Object.hasOwn(parameters, name)) take(name, read(parameters[name], name))
  if (Object.keys(problems).length > 0) throw dialect.invalid(problems)
  return values
}

function checkField(context: Checking, field: Field, name: string): Verdict {
  const value = context.parameters[name]
  const verdict = tooMany(field, value) ?? context.dialect.check(context, field, value, name)
  return 'problem' in verdict ? verdict : (tooMany(field, verdict.value) ?? verdict)
}

/** How many records one record may link to: each may have to be created, while all other requests wait. */
const mostLinks = 1000

function tooMany(field: Field, value: unknown): RequestProblem | undefined {
  if (isFilter(field) || !Array.isArray(value) || value.length <= mostLinks) return undefined
  return { problem: `Expected at most ${mostLinks} values; got ${value.length}.` }
}

/** A value of the wrong type in JSON. */
export const wrongType = (name: string, type: string): RequestProblem => ({
  problem: `${name} is not of type ${type}.`,
  detail: { code: 'rest_invalid_type', data: { param: name } },
})

/** Refuses wrong parameters; `noDetails` is what stands in place of the details if there are none. */
export function invalidParameters(problems: Problems, noDetails?: readonly []): Refusal {
  const all = Object.entries(problems)
  const details = all.flatMap(([name, { problem: message, detail }]) =>
    detail ? [[name, { code: detail.code, message, data: detail.data }]] : [],
  )
  const shown = details.length > 0 ? Object.fromEntries(details) : noDetails
  return new Refusal(400, 'rest_invalid_param', `Invalid parameter(s): ${all.map(([name]) => name).join(', ')}`, {
    params: Object.fromEntries(all.map(([name, { problem }]) => [name, problem])),
    ...(shown && { details: shown }),
  })
}
