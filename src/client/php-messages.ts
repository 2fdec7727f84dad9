import type { Response, Transport } from '../contract/exchange.ts'
import { parseBody, plainSentence } from './response.ts'

/** A transport that says once that a site prints messages of PHP before its answers, if these can be read nevertheless. */
export function noticingPhpMessages(
  transport: Transport,
  label: string,
  notice: (text: string) => Promise<void>,
): Transport {
  let hasNoticed = false
  return async request => {
    const response = await transport(request)
    if (hasNoticed || typeof response.body !== 'string' || /^\s*([{[]|$)/.test(response.body)) return response
    const message = phpMessageIn(response)
    if (message === undefined || hasNoticed) return response
    hasNoticed = true
    await notice(
      `${label} prints PHP messages before its answers, which could be read anyway: ${message}; ask whoever runs the site to turn off display_errors`,
    )
    return response
  }
}

/** The first message of PHP before the JSON of an answer. */
export function phpMessageIn(response: Response): string | undefined {
  const text = String(response.body)
  const [found] =
    /\b(Warning|Notice|Deprecated|Strict Standards|Fatal error)\b.*?( on line \D{0,9}\d+|$)/m.exec(text) ?? []
  return found !== undefined && parseBody(response) !== undefined ? plainSentence(found).slice(0, 200) : undefined
}
