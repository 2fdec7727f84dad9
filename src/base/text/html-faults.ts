import { Tokenizer } from './html.lib.ts'

/** The faults in the HTML of a text, and the repaired text where there is one safe repair. */
export type HtmlFaults = ReturnType<FaultReader['faults']>

/** Void elements, and elements with an optional closing tag. */
const voids = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
const endless = new Set([
  ...voids,
  ...'p li dt dd option optgroup tr td th thead tbody tfoot colgroup caption rt rp html body head'.split(' '),
])

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

/** An open element; `isPasted` if its closing tag is removed with it. */
interface Opened {
  readonly name: string
  readonly isPasted: boolean
}

/** Reads HTML of any size and depth in one pass, with a stack instead of a tree. */
export function htmlFaults(html: string): HtmlFaults {
  const reader = new FaultReader(html)
  const ignore = () => {}
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: false },
    {
      onopentagname: (start, end) => reader.beginTag(start, end),
      onattribname: (start, end) => reader.beginAttribute(start, end),
      onattribdata: (start, end) => reader.addToAttribute(start, end),
      onattribend: (quote, end) => reader.endAttribute(quote > 1 ? end + 1 : end),
      onopentagend: end => reader.beginElement(end + 1, false),
      onselfclosingtag: end => reader.beginElement(end + 1, true),
      onclosetag: (start, end) => reader.endElement(start, end),
      oncomment: (start, end) =>
        reader.removePasted(/^\[if |^\s*(?:Start|End)Fragment/i, { start, from: start - 4, until: end + 1 }),
      ondeclaration: (start, end) =>
        reader.removePasted(/^!?\[(?:if|endif)/i, { start, from: html.lastIndexOf('<', start), until: end + 1 }),
      onprocessinginstruction: (start, end) =>
        reader.removePasted(/^\??xml/i, { start, from: html.lastIndexOf('<', start), until: end + 1 }),
      onattribentity: ignore,
      ontextentity: ignore,
      oncdata: ignore,
      onend: ignore,
      ontext: ignore,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return reader.faults()
}

class FaultReader {
  private readonly opened: Opened[] = []
  private readonly openCounts = new Map<string, number>()
  private readonly open: string[] = []
  private readonly stray: string[] = []
  private readonly addresses: string[] = []
  private readonly closing: Edit[] = []
  private readonly cleaning: Edit[] = []
  private imagesWithoutAlt = 0
  private overlapping: string | undefined
  private name = ''
  private tagFrom = 0
  private attributes: Attribute[] = []
  /** The start of an element that is removed with its contents. */
  private dropped: { readonly name: string; readonly from: number } | undefined

  constructor(private readonly html: string) {}

  beginTag(start: number, end: number): void {
    this.name = this.html.slice(start, end).toLowerCase()
    this.tagFrom = start - 1
    this.attributes = []
  }

  beginAttribute(from: number, until: number): void {
    this.attributes.push({ name: this.html.slice(from, until).toLowerCase(), from, until, value: '' })
  }

  addToAttribute(start: number, end: number): void {
    const attribute = this.attributes.at(-1)
    if (attribute) attribute.value += this.html.slice(start, end)
  }

  endAttribute(until: number): void {
    const attribute = this.attributes.at(-1)
    if (attribute) attribute.until = until
  }

  beginElement(until: number, isWhole: boolean): void {
    const { html, name, tagFrom, cleaning } = this
    if (this.dropped) return
    if (name === 'xml' || (name === 'style' && html.slice(until, until + 2000).includes('mso-'))) {
      if (isWhole) remove(cleaning, tagFrom, until)
      else this.dropped = { name, from: tagFrom }
      return
    }
    this.noteAttributes()
    const text = isOfWord(name) ? '' : withoutWord(html, name, this.attributes)
    if (text !== undefined) cleaning.push({ from: tagFrom, until, text })
    if (isWhole || voids.has(name)) return
    this.opened.push({ name, isPasted: text === '' })
    this.count(name, 1)
  }

  endElement(start: number, end: number): void {
    const { html, dropped } = this
    const name = html.slice(start, end).toLowerCase()
    const from = html.lastIndexOf('<', start)
    const until = html.indexOf('>', end) + 1 || html.length
    if (!dropped) this.closeElement(name, from, until)
    else if (name === dropped.name) {
      remove(this.cleaning, dropped.from, until)
      this.dropped = undefined
    }
  }

  /** Removes word-processor markup outside of elements. */
  removePasted(beginning: RegExp, at: { readonly start: number; readonly from: number; readonly until: number }): void {
    if (!this.dropped && beginning.test(this.html.slice(at.start, at.start + 40)))
      remove(this.cleaning, at.from, Math.min(this.html.length, at.until))
  }

  faults() {
    const { html, opened, open, stray, overlapping, cleaning, closing, imagesWithoutAlt, addresses } = this
    for (let element = opened.pop(); element; element = opened.pop()) this.leaveOpen(element, html.length)
    return {
      /** Elements without a closing tag that need one. */
      open,
      /** Closing tags without an opening one. */
      stray,
      /** The name of an element that overlaps another, `<b><i></b></i>`: the intended structure is not clear. */
      overlapping,
      /** Whether it contains the markup of word processors. */
      isPasted: cleaning.length > 0,
      imagesWithoutAlt,
      addresses,
      /** The text with all elements closed and stray closing tags removed. */
      closed: () => edited(html, closing),
      cleaned: () => edited(html, cleaning),
    }
  }

  private noteAttributes(): void {
    const attributeOf = (attribute: string) => this.attributes.find(({ name }) => name === attribute)?.value
    if (this.name === 'img' && attributeOf('alt') === undefined && attributeOf('role') !== 'presentation')
      this.imagesWithoutAlt += 1
    const address = attributeOf('href') ?? attributeOf('src')
    if (address) this.addresses.push(address)
  }

  private closeElement(name: string, from: number, until: number): void {
    if (!this.openCounts.get(name)) {
      this.noteStray(name, from, until)
      return
    }
    for (let element = this.opened.pop(); element; element = this.opened.pop()) {
      this.count(element.name, -1)
      if (element.name === name) {
        if (element.isPasted) remove(this.cleaning, from, until)
        return
      }
      this.leaveOpen(element, from)
    }
  }

  private noteStray(name: string, from: number, until: number): void {
    if (endless.has(name)) return
    // An element that its parent closed already is closed again: they overlap.
    if (this.open.includes(name)) this.overlapping = name
    else if (this.stray.length < mostNamed) this.stray.push(name)
    remove(this.closing, from, until)
  }

  private leaveOpen(element: Opened, at: number): void {
    if (endless.has(element.name) || element.isPasted) return
    if (this.open.length < mostNamed) this.open.push(element.name)
    this.closing.push({ from: at, until: at, text: `</${element.name}>` })
  }

  private count(name: string, by: number): void {
    this.openCounts.set(name, (this.openCounts.get(name) ?? 0) + by)
  }
}

const remove = (edits: Edit[], from: number, until: number): void => void edits.push({ from, until, text: '' })

/** A sentence has room for a few names, and a hostile text has millions. */
const mostNamed = 20

/** Elements of word processors: `o:p`, `w:sdt`, `st1:place`. */
const isOfWord = (name: string): boolean => /^(?:o|w|v|m|st\d):/.test(name)

/** A tag without word-processor attributes; empty for a `span` without others, undefined if there is nothing to remove. */
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
  const others = (parts: readonly string[]) => parts.filter(part => !/^\s*mso/i.test(part))
  if (attribute === 'class' && /\bmso/i.test(value)) return others(value.split(/\s+/)).join(' ')
  if (attribute === 'style' && /\bmso-/i.test(value)) return others(value.split(';')).join(';').trim()
  return attribute === 'id' && value.startsWith('docs-internal-guid') ? '' : value
}

/** Applies edits to a text; of two overlapping ones, the first counts. */
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
