import { SaxesParser } from 'saxes'
import { Failure, usage } from '../base/failure.ts'
import { phrase } from '../base/words/phrase.ts'

export type Attributes = Readonly<Record<string, string>>

/** The functions for the elements of an XML file, by name without prefix; `tag` is with it. */
export interface XmlHandlers<T> {
  open?(name: string, attributes: Attributes, yields: (item: T) => void): void
  close?(name: string, yields: (item: T) => void, tag: string): void
  text?(text: string): void
}

/** How deep elements may be nested: files of spreadsheet programs need about ten. */
const deepest = 200

/** Parses XML piece by piece and yields what the handlers yield; throws `usage` for what is not XML. */
export async function* parseXml<T>(
  text: AsyncIterable<string>,
  name: string,
  handlers: XmlHandlers<T>,
): AsyncGenerator<T> {
  const parser = new SaxesParser({ xmlns: false, position: false })
  let items: T[] = []
  let depth = 0
  const yields = (item: T) => {
    items.push(item)
  }
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1
    if (depth > deepest) throw new Error(phrase('elements are nested more than {count} deep', { count: deepest }))
    handlers.open?.(localName(name), attributes as Attributes, yields)
  })
  parser.on('closetag', ({ name }) => {
    depth -= 1
    handlers.close?.(localName(name), yields, name)
  })
  if (handlers.text) parser.on('text', text => handlers.text?.(text))
  if (handlers.text) parser.on('cdata', text => handlers.text?.(text))
  const parse = (piece: string | null) => {
    try {
      if (piece === null) parser.close()
      else parser.write(piece)
    } catch (error) {
      if (error instanceof Failure) throw error
      throw malformed(name, error as Error)
    }
  }
  parser.on('error', error => {
    throw error
  })
  let isEmpty = true
  for await (const piece of text) {
    if (piece === '') continue
    isEmpty = false
    parse(piece)
    yield* items
    items = []
  }
  if (isEmpty) return
  parse(null)
  yield* items
}

/** Parses to the end, for handlers that yield nothing. */
export async function finish(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

const localName = (tag: string): string => tag.slice(tag.indexOf(':') + 1)

const malformed = (file: string, { message }: Error): Failure =>
  usage(
    phrase('{file} is damaged: {reason}', { file, reason: message.replace(/\.$/, '') }),
    phrase('open it in a spreadsheet program and save it again'),
  )

/** An attribute by its name without prefix. */
export function attribute(attributes: Attributes, name: string): string | undefined {
  if (attributes[name] !== undefined) return attributes[name]
  const key = Object.keys(attributes).find(key => key.endsWith(`:${name}`))
  return key === undefined ? undefined : attributes[key]
}
