import type { RequestContext } from '../dialect.ts'
import { imageUrl } from '../render/addresses.ts'
import type { ImageRow, PostRow } from '../store/rows.ts'
import smilieFaces from './smilies.json' with { type: 'json' }

/** A title as WordPress renders it: with typographic quotes, dashes and dots, and `&` as an entity. */
export const title = (text: string): string => texturize(text).trim()

/** An excerpt as WordPress renders it: like a title, in paragraphs. */
export const excerpt = (text: string): string => paragraphs(withSmilies(texturize(text))).trim()

/** Gives the HTML of a shortcode. */
type RenderShortcode = (name: string, attributes: string) => string

/** A description as WordPress renders it: like an excerpt, unless it consists of blocks, which have their own paragraphs. */
export const description = (text: string, render: RenderShortcode): string =>
  (blockMark.test(text)
    ? withSmilies(texturize(text.replaceAll(new RegExp(blockMark, 'g'), '')))
    : paragraphs(withSmilies(texturize(text))).replace(ownParagraph, '$1')
  )
    .replace(bareImage, image => `<img ${hasSize(image) ? 'loading="lazy" ' : ''}decoding="async" ${image.slice(5)}`)
    .replace(shortcode, (_, name, attributes) => render(name, attributes))
    .trim()

/** The same with the line ends around it that `wp/v2` keeps. */
export function renderedContent(text: string, render: RenderShortcode): string {
  if (text === '') return ''
  if (!blockMark.test(text)) return `${description(text, render)}\n`
  return texturize(text.replaceAll(new RegExp(blockMark, 'g'), '')).replace(shortcode, (_, name, attributes) =>
    render(name, attributes),
  )
}

const smilies: Readonly<Record<string, string>> = smilieFaces.faces

/** Smilies between spaces become emoji. */
const withSmilies = (text: string): string =>
  text.replace(/(?<=^|\s)([:;])-?([()DPox|?])(?=\s|$)/gm, (typed, eyes: string, mouth: string) => {
    if (eyes === ':') return smilies[mouth] ?? typed
    return mouth === ')' ? '😉' : typed
  })

/** WordPress tells browsers to decode images in the background, and to load those with a known size late. */
const bareImage = /<img (?![^<>]*\bdecoding=)[^<>]*>/gi
const hasSize = (image: string): boolean => /\swidth=/.test(image) && /\sheight=/.test(image)

/** What WordPress replaces with HTML. */
const shortcode = /\[(gallery|playlist|audio|video|embed|caption)\b([^[\]]*)\]/g

/** A shortcode that is a paragraph of its own gets no tags around it. */
const ownParagraph = new RegExp(`<p>(${shortcode.source})</p>`, 'g')

const blockMark = /<!--\s?\/?wp:[^<>]*-->/

/** The name of a category or tag as WordPress renders it: escaped. */
export const termName = (text: string): string =>
  text.replace(bareAmpersand, '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The description of a category or tag as WordPress renders it: its HTML stays. */
export const termDescription = (text: string): string => text.replace(bareAmpersand, '&amp;')

/** A text as WordPress stores it: trimmed, and without backslashes, because it expects escaped input. */
export const removeSlashes = (text: string): string => text.replace(/\\([\s\S]?)/g, '$1').trim()

/** A text on one line, without tags and shortcodes, as WordPress makes an excerpt from it; its punctuation stays as it was written. */
export const shortened = (text: string): string =>
  withoutTags(text.replace(new RegExp(blockMark, 'g'), '').replace(shortcode, ''))
    .replace(/(?:\s|&nbsp;)+/g, ' ')
    .replace(bareAmpersand, '&amp;')
    .trim()

/** A text without HTML tags. */
export const withoutTags = (text: string): string => text.replace(/<[^<>]*>/g, '').trim()

const bareAmpersand = /&(?!#\d+;|#x[\da-f]+;|[a-z][a-z\d]{0,7};)/gi

/** Text between these tags stays as it is. */
const verbatim = /^<(\/?)(pre|code|kbd|style|script|tt)\b/i

/** Tags and shortcodes. */
const markup = /(<[^>]*>?|\[(?:gallery|playlist|audio|video|embed|caption)\b[^[\]]*\])/

/** Typographic punctuation outside of tags and shortcodes. */
function texturize(text: string): string {
  let inVerbatim = 0
  return text
    .split(markup)
    .map((part, index) => {
      const tag = verbatim.exec(part)
      if (tag) inVerbatim += tag[1] === '/' ? -1 : 1
      return index % 2 === 1 || inVerbatim > 0 ? part : typeset(part)
    })
    .join('')
}

const typeset = (text: string): string =>
  quotes(
    text
      .replaceAll('...', '&#8230;')
      .replaceAll('``', '&#8220;')
      .replaceAll("''", '&#8221;')
      .replaceAll(' (tm)', ' &#8482;')
      .replaceAll('---', '&#8212;')
      .replace(/(?<=^|\s)--(?=$|\s)/g, '&#8212;')
      .replace(/(?<!xn)--/g, '&#8211;')
      .replace(/(?<=^|\s)-(?=$|\s)/g, '&#8211;')
      .replace(/\b(?!0x)(\d{1,9})x(?=\d)/g, '$1&#215;'),
  ).replace(bareAmpersand, '&#038;')

/** Quotes open after a space or a bracket and close elsewhere; after a digit, if none is open, they are feet and inches. */
function quotes(text: string): string {
  let isOpen = false
  return text
    .replace(/'(?=\d\ds?\b)/g, '&#8217;')
    .replace(/(?<=^|[\s([{"-])'/g, '&#8216;')
    .replace(/(?<=\d)'(?=$|[\s.,:;!?)\]])/g, '&#8242;')
    .replaceAll("'", '&#8217;')
    .replace(/"/g, (_, at: number, whole: string) => {
      const before = whole.slice(Math.max(0, at - '&#8216;'.length), at)
      const wasOpen = isOpen
      isOpen = before === '' || /(?:[\s([{-]|&#8216;)$/.test(before)
      if (isOpen) return '&#8220;'
      return !wasOpen && /\d$/.test(before) ? '&#8243;' : '&#8221;'
    })
}

const blocks =
  'table|thead|tfoot|caption|col|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|map|area|blockquote|address|style|p|h[1-6]|hr|fieldset|legend|section|article|aside|hgroup|header|footer|nav|figure|figcaption|details|menu|summary'
const startsWithBlock = new RegExp(`^</?(?:${blocks})\\b`, 'i')
const endsWithBlock = new RegExp(`</?(?:${blocks})\\b[^<>]*>$`, 'i')
const opening = new RegExp(`<(?:${blocks})\\b[^<>]*>`, 'gi')
const closing = new RegExp(`</(?:${blocks})>`, 'gi')

/** Puts paragraphs between blank lines into `<p>`, except HTML blocks; a single line end becomes `<br />`. */
function paragraphs(text: string): string {
  const kept: string[] = []
  // Formatted text has its own line ends already.
  const marked = text.replace(/\r\n?/g, '\n').replace(formatted, pre => `<pre ${kept.push(pre) - 1}></pre>`)
  return paragraphsOf(marked).replace(/<pre (\d+)><\/pre>/g, (_, index) => kept[Number(index)] ?? '')
}

const formatted = /<pre\b[\s\S]*?<\/pre>/gi

function paragraphsOf(text: string): string {
  return text
    .replace(/<br\s*\/?>/gi, '<br />')
    .replace(opening, '\n\n$&')
    .replace(closing, '$&\n\n')
    .split(/\n\s*\n/)
    .map(part => part.trim())
    .filter(part => part !== '')
    .map(part => {
      // WordPress takes the beginning of an empty paragraph for one that it has added.
      if (part === '<p></p>') return '</p>'
      const before = startsWithBlock.test(part) ? '' : '<p>'
      const after = endsWithBlock.test(part) ? '' : '</p>'
      const text = `${before}${part.split('\n').map(withLineBreak).join('\n')}${after}`
      return text.replace(/^<blockquote\b[^<>]*>/i, '$&<p>').replace(/<\/blockquote>$/i, '</p>$&')
    })
    .join('\n')
}

/** Ends a line with `<br />`, except the last one. */
const withLineBreak = (line: string, index: number, lines: readonly string[]): string =>
  index === lines.length - 1 || line.endsWith('<br />') ? line : `${line.trimEnd()}<br />`

/** The HTML of the shortcodes of a post: its galleries; the others show nothing without uploaded files. */
export function shortcodesOf(context: RequestContext, row: PostRow) {
  let galleries = 0
  return (name: string, attributes: string): string => {
    const images = name === 'gallery' ? imagesOf(context, row, attributes) : []
    if (images.length === 0) return ''
    galleries++
    return gallery(context, row.id, galleries, images)
  }
}

/** The images that a gallery names, otherwise the post's own. */
function imagesOf({ store }: RequestContext, row: PostRow, attributes: string): ImageRow[] {
  const named = /\bids=["']?([\d,\s]+)/.exec(attributes)?.[1]?.split(',').map(Number)
  return (named ?? [row.image]).flatMap(id => (id ? (store.table('images').get(id) ?? []) : []))
}

function gallery(context: RequestContext, post: number, number: number, images: readonly ImageRow[]): string {
  const items = images.map(image => {
    const url = escaped(imageUrl(context, image))
    return `<figure class='gallery-item'><div class='gallery-icon landscape'><a href='${url}'><img decoding="async" src="${url}" class="attachment-thumbnail size-thumbnail" alt="" /></a></div></figure>`
  })
  return `<div id='gallery-${number}' class='gallery galleryid-${post} gallery-columns-3 gallery-size-thumbnail'>${items.join('')}</div>`
}

/** Characters in an address that would end an attribute. */
const escaped = (url: string): string => url.replaceAll("'", '%27').replaceAll('"', '%22').replaceAll('<', '%3C')

/** Whether a record may contain galleries. */
export const hasGallery = ({ description }: { readonly description: string }): boolean =>
  description.includes('[gallery')

/** The text of a record in a list: WordPress numbers the galleries of a page, so they differ from those of a record alone. */
export const numberGalleries = (text: Buffer, index: number): Buffer =>
  Buffer.from(
    text
      .toString()
      .replace(/(?<=<div id='gallery-)\d+(?=' class='gallery )/g, number => String(Number(number) + index + 1)),
  )
