import type { Exchange, RecordedWrite } from './recording.ts'

type Sequence = 'post' | 'term'

const sequenceOf = (resource: string): Sequence =>
  /^(categories|tags|tribe_events_cat)$/i.test(resource) ? 'term' : 'post'

/** The ID sequence of a parameter, by the resource of the route. */
const parameters: Readonly<Record<Sequence, Readonly<Record<string, Sequence>>>> = {
  post: {
    id: 'post',
    p: 'post',
    categories: 'term',
    tags: 'term',
    venue: 'post',
    organizer: 'post',
    image: 'post',
    include: 'post',
    post_parent: 'post',
    event: 'post',
    tribe_events_cat: 'term',
    featured_media: 'post',
    _EventVenueID: 'post',
    _EventOrganizerID: 'post',
  },
  term: { id: 'term', parent: 'term', include: 'term', exclude: 'term', post: 'post', event: 'post' },
}

/** The links of an event, by ID sequence. */
const linked: Readonly<Record<string, Sequence>> = {
  categories: 'term',
  tags: 'term',
  venue: 'post',
  organizer: 'post',
  tribe_events_cat: 'term',
  featured_media: 'post',
  _EventVenueID: 'post',
  _EventOrganizerID: 'post',
}

const resourceOf = (path: string): string => /^(?:\/wp-json\/wp\/v2)?\/([a-z_]+)/i.exec(path)?.[1] ?? ''

/** Unknown IDs of the recording are mapped to IDs that do not exist here. */
const nowhere = 900_000

/** Maps the IDs of the recording to ours, separately for posts and terms, as the responses of both sides show them. */
export class Ids {
  readonly #known: Readonly<Record<Sequence, Map<number, number>>> = { post: new Map(), term: new Map() }

  /** Maps a record of the recording to one of ours. */
  learn(sequence: Sequence, theirs: unknown, ours: unknown): void {
    const known = this.#known[sequence]
    if (typeof theirs === 'number' && typeof ours === 'number' && !known.has(theirs)) known.set(theirs, ours)
  }

  /** Learns from two responses to the same write: the ID of the record, and those of its links, key by key. */
  learnFrom(path: string, theirs: Readonly<Record<string, unknown>>, ours: Readonly<Record<string, unknown>>): void {
    this.learn(sequenceOf(resourceOf(path)), theirs.id, ours.id)
    for (const [name, of] of Object.entries(linked)) {
      const [left, right] = [idsIn(theirs[name]), idsIn(ours[name])]
      if (left.length === right.length) for (const [place, id] of left.entries()) this.learn(of, id, right[place])
    }
  }

  /** The request with our IDs. */
  request({ method, path, body, body_raw }: Exchange['request'] | RecordedWrite['write']) {
    const [route = '', query] = path.split('?')
    const sequence = sequenceOf(resourceOf(route))
    const pairs = query?.split('&').map(pair => this.#pair(sequence, pair))
    return {
      method,
      path: this.#inPath(route),
      ...(pairs && { query: pairs.join('&') }),
      body: body_raw ?? this.#fields(sequence, body),
    }
  }

  /** A recorded response with our IDs, in values and in URLs. */
  answer(path: string, body: unknown): unknown {
    if (path.includes('/users/')) return body
    return this.#translated(sequenceOf(resourceOf(path)), body)
  }

  ours(sequence: Sequence, theirs: number): number {
    const known = this.#known[sequence].get(theirs)
    if (known !== undefined) return known
    return theirs > 0 && theirs < nowhere ? theirs + nowhere : theirs
  }

  #pair(sequence: Sequence, pair: string): string {
    const [name = '', value = ''] = pair.split('=')
    if (name === 'rest_route') return `${name}=${this.#inPath(value)}`
    const of = parameters[sequence][name.replace(/(\[\d*\]|%5B\d*%5D)$/i, '')]
    return of ? `${name}=${this.#digits(of, value)}` : pair
  }

  #digits = (sequence: Sequence, text: string): string =>
    text.replace(/(?<![\w.-])\d+(?![\w.])/g, digits => String(this.ours(sequence, Number(digits))))

  #inPath(path: string): string {
    return path.replace(
      /(\/(events|venues|organizers|categories|tags|media|tribe_\w+)\/0*)([1-9]\d*)/gi,
      (_, before, resource, digits) => before + this.ours(sequenceOf(resource), Number(digits)),
    )
  }

  #fields(sequence: Sequence, body: unknown): unknown {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
    return Object.fromEntries(
      Object.entries(body).map(([name, value]) => {
        const of = parameters[sequence][name]
        if (name === 'meta') return [name, this.#fields(sequence, value)]
        return [name, of ? this.#values(of, value) : value]
      }),
    )
  }

  #values(sequence: Sequence, value: unknown): unknown {
    if (typeof value === 'number') return this.ours(sequence, value)
    if (typeof value === 'string' && /^[\d,\s]+$/.test(value)) return this.#digits(sequence, value)
    if (Array.isArray(value)) return value.map(item => this.#values(sequence, item))
    if (typeof value !== 'object' || value === null) return value
    return 'id' in value ? { ...value, id: this.#values(sequence, value.id) } : value
  }

  #translated(sequence: Sequence, value: unknown, name = ''): unknown {
    if (typeof value === 'string') return this.#inAddress(value)
    if (typeof value === 'number' && value > 0 && name in linked) return this.ours(sequence, value)
    if (Array.isArray(value)) return value.map(item => this.#translated(sequence, item, name))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => {
        const inside = linked[name] ?? sequence
        return [
          name,
          this.#isId(name, item) ? this.ours(idSequence(name, inside), item) : this.#translated(inside, item, name),
        ]
      }),
    )
  }

  #isId(name: string, value: unknown): value is number {
    return typeof value === 'number' && value > 0 && /^(id|term_id|term_taxonomy_id|parent)$/.test(name)
  }

  #inAddress(text: string): string {
    if (/^post-\d+$/.test(text)) return text.replace(/\d+/, digits => String(this.ours('post', Number(digits))))
    if (!/^(https?:\/\/)?calendar\.test\b/.test(text)) return text
    const withTerms = text.replace(/(?<=[?&](?:tags|categories|tribe_events_cat)=)\d+/g, digits =>
      String(this.ours('term', Number(digits))),
    )
    return this.#inPath(withTerms).replace(
      /([?&](?:p|id|attachment_id|venue|organizer|include|post|event|post_parent|parent)(?:%5B\d*%5D|\[\d*\])?=)([\d,]|%2C)+/gi,
      pair => {
        const [before = '', value = ''] = pair.split('=')
        return `${before}=${value.replace(/\d+(?!C)|(?<=%2C)\d+/g, digits => String(this.ours('post', Number(digits))))}`
      },
    )
  }
}

const idSequence = (name: string, inside: Sequence): Sequence => (name.startsWith('term') ? 'term' : inside)

/** The IDs of linked records, in any form: `7`, `{id: 7}`, `[7, 8]`, `[{id: 7}]`, `[[2, 'Music']]`. */
const idsIn = (value: unknown): number[] => {
  if (typeof value === 'number') return [value]
  if (Array.isArray(value)) return value.flatMap(item => (Array.isArray(item) ? idsIn(item[0]) : idsIn(item)))
  if (typeof value === 'object' && value !== null && 'id' in value) return idsIn(value.id)
  return []
}
