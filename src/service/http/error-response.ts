import type { Response } from '../../contract/exchange.ts'

/** An error in the form of the API, for requests that never reach the service. */
export const errorResponse = (
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response => ({
  status,
  headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
  body: JSON.stringify({ code, message, data: { status } }),
})
