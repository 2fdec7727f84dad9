import { Tokenizer } from './html.lib.ts'

/** What is wrong with the HTML of a text, and the text without that where there is one safe answer. */
export interface HtmlFaults {
  /** The names of elements that are left open, without those that need no closing tag. */
  readonly open: readonly string[]
  /** The names of ends without a beginning. */
  readonly stray: readonly string[]
  /** The name of an element that overlaps another: `<b><i></b></i>`. What was meant is not clear. */
  readonly overlapping: string | undefined
  /** Whether it has markup that only a word processor reads. */
  readonly isPasted: boolean
  readonly imagesWithoutAlt: number
  /** The addresses of links and images. */
  readonly addresses: readonly string[]
  /** The text with all elements closed, and without ends that close nothing. */
  closed(): string
  /** The text without the markup of word processors. */
  cleaned(): string
}

/** Elements without an end, and elements whose end HTML does not ask for. */
const voids = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
const endless = new Set([
  ...voids,
  ...'p li dt dd option optgroup tr td th thead tbody tfoot colgroup caption rt rp html body head'.split(' '),
])

/** A piece of the text to be replaced. */
interface Edit {
  readonly from: number
  readonly until: number
  readonly text: string
}

interface Attribute {
  readonly name: string
  /** Where its name begins and its value ends. */
  readonly from: number
  until: number
  value: string
}

/** An element that has not been closed yet; `isPasted` if its end goes with it. */
interface Opened {
  readonly name: string
  readonly isPasted: boolean
}

/** Reads the HTML of a text once, of any size and depth, with a stack of its own in place of a tree. */
export function htmlFaults(html: string): HtmlFaults {
  const opened: Opened[] = []
  const openCounts = new Map<string, number>()
  const open: string[] = []
  const stray: string[] = []
  const addresses: string[] = []
  const closing: Edit[] = []
  const cleaning: Edit[] = []
  let [imagesWithoutAlt, tagFrom, name] = [0, 0, '']
  let overlapping: string | undefined
  let attributes: Attribute[] = []
  /** The beginning of an element that goes with all that is in it. */
  let dropped: { readonly name: string; readonly from: number } | undefined

  const count = (of: string, by: number) => void openCounts.set(of, (openCounts.get(of) ?? 0) + by)
  const remove = (edits: Edit[], from: number, until: number) => void edits.push({ from, until, text: '' })

  const beginElement = (until: number, isWhole: boolean) => {
    if (dropped) return
    if (name === 'xml' || (name === 'style' && html.slice(until, until + 2000).includes('mso-'))) {
      if (isWhole) remove(cleaning, tagFrom, until)
      else dropped = { name, from: tagFrom }
      return
    }
    const attributeOf = (attribute: string) => attributes.find(one => one.name === attribute)?.value
    if (name === 'img' && attributeOf('alt') === undefined && attributeOf('role') !== 'presentation')
      imagesWithoutAlt += 1
    const address = attributeOf('href') ?? attributeOf('src')
    if (address) addresses.push(address)
    const text = isOfWord(name) ? '' : withoutWord(html, name, attributes)
    if (text !== undefined) cleaning.push({ from: tagFrom, until, text })
    if (isWhole || voids.has(name)) return
    opened.push({ name, isPasted: text === '' })
    count(name, 1)
  }

  const endElement = (from: number, until: number) => {
    if (dropped) {
      if (name === dropped.name) {
        remove(cleaning, dropped.from, until)
        dropped = undefined
      }
      return
    }
    if (!openCounts.get(name)) {
      if (endless.has(name)) return
      // What its parent closed above is closed here: they overlap.
      if (open.includes(name)) overlapping = name
      else if (stray.length < mostNamed) stray.push(name)
      remove(closing, from, until)
      return
    }
    for (let element = opened.pop(); element; element = opened.pop()) {
      count(element.name, -1)
      if (element.name === name) {
        if (element.isPasted) remove(cleaning, from, until)
        return
      }
      leaveOpen(element, from)
    }
  }

  const leaveOpen = (element: Opened, at: number) => {
    if (endless.has(element.name) || element.isPasted) return
    if (open.length < mostNamed) open.push(element.name)
    closing.push({ from: at, until: at, text: `</${element.name}>` })
  }

  const ignore = () => {}
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: false },
    {
      onopentagname(start, end) {
        name = html.slice(start, end).toLowerCase()
        tagFrom = start - 1
        attributes = []
      },
      onattribname(start, end) {
        attributes.push({ name: html.slice(start, end).toLowerCase(), from: start, until: end, value: '' })
      },
      onattribdata(start, end) {
        const attribute = attributes.at(-1)
        if (attribute) attribute.value += html.slice(start, end)
      },
      onattribend(quote, end) {
        const attribute = attributes.at(-1)
        if (attribute) attribute.until = quote > 1 ? end + 1 : end
      },
      onopentagend: end => beginElement(end + 1, false),
      onselfclosingtag: end => beginElement(end + 1, true),
      onclosetag(start, end) {
        name = html.slice(start, end).toLowerCase()
        const until = html.indexOf('>', end) + 1
        endElement(html.lastIndexOf('<', start), until === 0 ? html.length : until)
      },
      oncomment(start, end) {
        if (!dropped && /^\[if |^\s*(?:Start|End)Fragment/i.test(html.slice(start, start + 40)))
          remove(cleaning, start - 4, Math.min(html.length, end + 1))
      },
      ondeclaration(start, end) {
        if (!dropped && /^!?\[(?:if|endif)/i.test(html.slice(start, start + 10)))
          remove(cleaning, html.lastIndexOf('<', start), end + 1)
      },
      onprocessinginstruction(start, end) {
        if (!dropped && /^\??xml/i.test(html.slice(start, start + 5)))
          remove(cleaning, html.lastIndexOf('<', start), end + 1)
      },
      onattribentity: ignore,
      ontextentity: ignore,
      oncdata: ignore,
      onend: ignore,
      ontext: ignore,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  for (let element = opened.pop(); element; element = opened.pop()) leaveOpen(element, html.length)

  return {
    open,
    stray,
    overlapping,
    isPasted: cleaning.length > 0,
    imagesWithoutAlt,
    addresses,
    closed: () => edited(html, closing),
    cleaned: () => edited(html, cleaning),
  }
}

/** At most so many elements are remembered to be named: a sentence has room for a few, and a hostile text has millions. */
const mostNamed = 20

/** Elements that only word processors know: `o:p`, `w:sdt`, `st1:place`. */
const isOfWord = (name: string): boolean => /^(?:o|w|v|m|st\d):/.test(name)

/** A tag without what a word processor put into it; empty for a `span` that has nothing else, undefined if there is nothing of the kind. */
function withoutWord(html: string, name: string, attributes: readonly Attribute[]): string | undefined {
  let isChanged = false
  const kept = attributes.flatMap(({ name: attribute, value, from, until }) => {
    const clean = cleanValue(attribute, value)
    if (clean === value) return [html.slice(from, until)]
    isChanged = true
    return clean === '' ? [] : [`${attribute}="${clean}"`]
  })
  if (!isChanged) return undefined
  return name === 'span' && kept.length === 0 ? '' : `<${[name, ...kept].join(' ')}>`
}

function cleanValue(attribute: string, value: string): string {
  if (attribute === 'class' && /\bmso/i.test(value))
    return value
      .split(/\s+/)
      .filter(one => !/^mso/i.test(one))
      .join(' ')
  if (attribute === 'style' && /\bmso-/i.test(value))
    return value
      .split(';')
      .filter(declaration => !/^\s*mso-/i.test(declaration))
      .join(';')
      .trim()
  return attribute === 'id' && value.startsWith('docs-internal-guid') ? '' : value
}

/** A text with pieces of it replaced; of two that overlap the first one counts. */
function edited(text: string, edits: readonly Edit[]): string {
  const parts: string[] = []
  let at = 0
  for (const edit of edits.toSorted((one, other) => one.from - other.from)) {
    if (edit.from < at) continue
    parts.push(text.slice(at, edit.from), edit.text)
    at = edit.until
  }
  parts.push(text.slice(at))
  return parts.join('')
}
