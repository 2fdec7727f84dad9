import type { HandlerResult } from './request-context.ts'

type Parameters = Readonly<Record<string, unknown>>

/** Which keys to keep, each whole or in part. */
type KeySelection = Map<string, KeySelection>

/** Applies WordPress's own parameters to a response: `_fields=id,venue.city`, `_envelope`, `_pretty`. */
export function applyResponseOptions(result: HandlerResult, parameters: Parameters): HandlerResult {
  const { _fields } = parameters
  const isEnveloped = '_envelope' in parameters
  const isPretty = '_pretty' in parameters
  if (_fields === undefined && !isEnveloped && !isPretty) return result
  const whole = contentOf(result)
  const picked = typeof _fields === 'string' && _fields !== '' ? pickAll(whole, parseSelection(_fields)) : whole
  const { status, headers = {} } = result
  const content = isEnveloped ? { body: picked, status, headers: withHeaderCase(headers) } : picked
  return { status: isEnveloped ? 200 : status, headers, body: JSON.stringify(content, null, isPretty ? 4 : 0) }
}

/** Names of headers as people write them: `X-TEC-Total`. */
const withHeaderCase = (headers: Readonly<Record<string, string>>): object =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [capitalise(name), value]))

const capitalise = (name: string): string =>
  name
    .replace('tec', 'TEC')
    .replace('pages', 'Pages')
    .replace(/(?<=^|-)[a-z]/g, letter => letter.toUpperCase())

const contentOf = ({ body }: HandlerResult): unknown =>
  typeof body === 'string' || body instanceof Uint8Array ? JSON.parse(Buffer.from(body).toString()) : body

function parseSelection(fields: string): KeySelection {
  const top: KeySelection = new Map()
  for (const path of fields.split(',')) {
    let at = top
    for (const key of path.trim().split('.')) {
      const below: KeySelection = at.get(key) ?? new Map()
      at.set(key, below)
      at = below
    }
  }
  return top
}

/** The answer itself may be a list of records, each of which is selected from. */
const pickAll = (value: unknown, selection: KeySelection): unknown =>
  Array.isArray(value) ? value.map(one => pick(one, selection)) : pick(value, selection)

/** List items have no keys to select, so selecting keys from a list gives an empty list. */
function pick(value: unknown, selection: KeySelection): unknown {
  if (selection.size === 0) return value
  if (Array.isArray(value)) return []
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const below = selection.get(key)
      return below ? [[key, pick(inner, below)]] : []
    }),
  )
}
