import type { Response } from '../../contract/exchange.ts'

/** An error in the API's own form, for what never reaches the service. */
export const errorAnswer = (
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response => ({
  status,
  headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
  body: JSON.stringify({ code, message, data: { status } }),
})
