import type { Response } from '../../contract/exchange.ts'

/** What becomes of the answer to a request that was carried out, by name, as it was seen on real sites. */
const garblings = {
  /** Another plugin's PHP notice stands before the JSON. */
  notice: response => withText(response, `${phpNotice}${textOf(response)}`),
  /** A cache's comment stands after the JSON. */
  comment: response => withText(response, `${textOf(response)}\n<!-- Served by a cache in 0.042 seconds -->\n`),
  /** A page for people is answered instead, with the status of a success. */
  html: () => ({ status: 200, headers: { 'content-type': 'text/html; charset=UTF-8' }, body: page }),
  /** Nothing is answered but that it went well. */
  empty: ({ headers }) => ({ status: 204, headers, body: '' }),
  /** A queue in front of the site says that it will do what was asked, and nothing of the record. */
  accepted: ({ headers }) => ({ status: 202, headers, body: '' }),
} satisfies Readonly<Record<string, (response: Response) => Response>>

/** What garbles the form of an answer and leaves the record readable. */
const keepsRecord: ReadonlySet<string> = new Set(['notice', 'comment'])

export type Garbling = keyof typeof garblings

export const isGarbling = (name: string): name is Garbling => Object.hasOwn(garblings, name)

/** Garbles an answer; errors stay as they are, and reads lose no more than their form. */
export function garble(name: Garbling, response: Response, isRead: boolean): Response {
  const isKept = isRead && !keepsRecord.has(name)
  return response.status >= 300 || response.body.length === 0 || isKept ? response : garblings[name](response)
}

const phpNotice =
  '<br />\n<b>Notice</b>:  Undefined index: lang in <b>/srv/www/wp-content/plugins/notices/notices.php</b> on line <b>42</b><br />\n'

const page = '<!doctype html>\n<html><head><title>Just a moment</title></head><body><p>Please wait.</p></body></html>\n'

const textOf = ({ body }: Response): string => (typeof body === 'string' ? body : Buffer.from(body).toString())

const withText = (response: Response, body: string): Response => ({ ...response, body })
