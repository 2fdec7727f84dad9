import type { Pair } from './pairs.ts'

/** The fields of a `multipart/form-data` body; files in it are left out. */
export function readMultipart(body: string, contentType: string): Pair[] {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  if (!boundary) return []
  const parts = `\r\n${body}`.split(`\r\n--${boundary[1] ?? boundary[2]}`).slice(1, -1)
  return parts.flatMap(part => {
    const [head = '', ...content] = part.split('\r\n\r\n')
    const name = /;\s*name="([^"]*)"/i.exec(head)?.[1]
    return name === undefined || /;\s*filename=/i.test(head) ? [] : [[name, content.join('\r\n\r\n')] as const]
  })
}
