import type { Response } from '../../src/contract/exchange.ts'

export const html = { 'content-type': 'text/html' }
const badGateway: Response = { status: 502, headers: html, body: '<html></html>' }
const busy: Response = { status: 503, headers: { ...html, 'retry-after': '1' }, body: '<html></html>' }

/** What becomes of a write: the site does not get it, is busy, or does it without an answer that arrives. */
export const fates = {
  lost: async () => badGateway,
  refused: async () => busy,
  done: async (work: () => Promise<unknown>) => {
    await work()
    return badGateway
  },
} satisfies Record<string, (work: () => Promise<unknown>) => Promise<Response>>
