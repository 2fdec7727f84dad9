/**
 * Compares texts regardless of rendering: WordPress adds paragraphs, line breaks, white space around blocks, typographic quotes,
 * entities and loading attributes of images, removes comments, and replaces shortcodes.
 */

import { decodeEntities } from '../../base/text/escaping.ts'
import { normalizeText } from '../../base/text/folding.ts'

const comment = /<!--.*?-->/gs
const shortcode = /\[\/?[a-z][\w-]*(?:\s[^\]]*)?\]/gi

/** Whether a shown text can be the rendering of a sent one. */
export function isRenderingOf(shown: string, sent: string): boolean {
  const [rendered, ...parts] = [shown, ...sent.replace(comment, '').split(shortcode)].map(saidBy)
  if (parts.length < 2) return rendered === parts[0]
  return rendered === saidBy(sent) || parts.every(part => rendered?.includes(part))
}

/** A form of a text that rendering does not change, for comparison only. */
const saidBy = (text: string): string => {
  const written = text.normalize('NFC')
  if (!written.includes('<')) return normalizeText(written)
  const tags = written.replace(comment, '').replace(paragraph, ' ').replace(tag, canonicalTag)
  return normalizeText(tags).replace(aroundBlock, '')
}

const paragraph = /<\/?p(?:\s[^>]*)?>|<br\s*\/?>/gi

const tag = /<(\/?)([a-z][a-z0-9-]*)((?:[\s/](?:"[^"]*"|'[^']*'|[^"'>])*)?)>/gi

/** The elements around which WordPress changes white space. */
const blocks = new Set(
  (
    'address article aside blockquote caption col colgroup dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 ' +
    'h6 header hgroup hr legend li map menu nav ol pre section style summary table tbody td tfoot th thead tr ul'
  ).split(' '),
)

/** Marks both sides of a block. */
const edge = '\u0001'
const aroundBlock = new RegExp(`\\s*${edge}\\s*`, 'g')

function canonicalTag(_: string, slash: string, name: string, rest: string): string {
  const element = name.toLowerCase()
  const attributes = Array.from(
    rest.matchAll(attribute),
    ([, key = '', value = '']) => [key.toLowerCase(), value] as const,
  )
    .filter(([key]) => !addedAttributes.has(key))
    .map(([key, value]) => `${key}="${decodeEntities(value.replace(/^(["'])(.*)\1$/s, '$2'))}"`)
    .toSorted()
  const written = `<${slash}${[element, ...attributes].join(' ')}>`
  return blocks.has(element) ? `${edge}${written}${edge}` : written
}

const attribute = /([^\s=/"'>]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/g

/** Attributes that WordPress adds: loading hints to images and frames, `rel` to links. */
const addedAttributes: ReadonlySet<string> = new Set(['decoding', 'fetchpriority', 'loading', 'rel'])
