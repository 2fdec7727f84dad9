import type { Language } from '../../src/contract/languages.ts'

/** Numbers that look random and are the same on every machine. */
export interface Random {
  next(): number
  below(count: number): number
  pick<T>(from: readonly T[]): T
  /** Whether something that happens in so many of a hundred cases happens. */
  in100(percent: number): boolean
}

export function randomFrom(seed: number): Random {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (count: number) => Math.floor(next() * count)
  return { next, below, pick: from => from[below(from.length)] as never, in100: percent => next() * 100 < percent }
}

const abbreviations: Readonly<Record<Language, readonly (readonly [RegExp, readonly string[]])[]>> = {
  ca: [
    [/\bPlaça\b/, ['Pl.', 'Pça.', 'Plaza']],
    [/\bCarrer (de la |de |del |dels |d’)?/, ['C/ ', 'C. ', 'Calle ']],
    [/\bAvinguda\b/, ['Av.', 'Avda.']],
    [/\bPasseig\b/, ['Pg.', 'Pº']],
    [/\bCarretera\b/, ['Ctra.']],
    [/\bRambla\b/, ['Rbla.']],
    [/\bBiblioteca\b/, ['Bibl.', 'Bib.']],
    [/\bAssociació\b/, ['Ass.', 'Assoc.', 'Asociación']],
    [/\bFundació\b/, ['Fund.']],
    [/\bSant\b/, ['St.']],
    [/\bSanta\b/, ['Sta.']],
    [/\bTeatre\b/, ['Teatro']],
    [/\bCentre\b/, ['Ctre.', 'Centro']],
    [/\bMuseu\b/, ['Museo']],
  ],
  es: [
    [/\bPlaza\b/, ['Pl.', 'Pza.', 'Plaça']],
    [/\bCalle (de la |de |del |de los )?/, ['C/ ', 'Cl. ']],
    [/\bAvenida\b/, ['Av.', 'Avda.']],
    [/\bPaseo\b/, ['Pº', 'Pso.']],
    [/\bCarretera\b/, ['Ctra.', 'Crta.']],
    [/\bBiblioteca\b/, ['Bibl.']],
    [/\bAsociación\b/, ['Asoc.']],
    [/\bFundación\b/, ['Fund.', 'Fundació']],
    [/\bSanta\b/, ['Sta.']],
    [/\bTeatro\b/, ['Teatre']],
    [/\bCentro\b/, ['Ctro.', 'Centre']],
    [/\bAyuntamiento\b/, ['Ayto.']],
  ],
  en: [
    [/\bSquare\b/, ['Sq.']],
    [/\bAvenue\b/, ['Ave.', 'Av.']],
    [/\bRoad\b/, ['Rd.']],
    [/\bSaint\b/, ['St.']],
    [/\bTheatre\b/, ['Theater']],
    [/\bCentre\b/, ['Center']],
    [/\bAssociation\b/, ['Assoc.']],
    [/\bLibrary\b/, ['Lib.']],
    [/\bFoundation\b/, ['Fund.', 'Foundat.']],
  ],
}

const articles = /(?<=^|\s)(?:el|la|els|les|los|las|the|de|del|dels|of) |(?<=^|\s)[ld]['’]/gi

const withoutAccents = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC')

/** Copies of records as somebody else would type them. */
export function mistypes(random: Random, language: Language) {
  const { in100, pick, below } = random

  /** One slip of the fingers in one word that has letters enough to show it. */
  const slip = (text: string): string => {
    const words = text.split(' ')
    const long = words.flatMap((word, index) => (/^\p{L}{6,}$/u.test(word) ? [index] : []))
    if (long.length === 0) return text
    const index = pick(long)
    const letters = Array.from(words[index] ?? '')
    const at = 1 + below(letters.length - 2)
    const kinds = [
      () => letters.splice(at, 1),
      () => letters.splice(at, 0, letters[at] ?? ''),
      () => letters.splice(at, 2, letters[at + 1] ?? '', letters[at] ?? ''),
      () => letters.splice(at, 1, pick(['a', 'e', 'i', 'o', 's', 'n', 'r', 't'])),
    ]
    pick(kinds)()
    words[index] = letters.join('')
    return words.join(' ')
  }

  const name = (text: string): string => {
    let typed = text
    if (in100(50)) for (const [full, short] of abbreviations[language]) typed = typed.replace(full, () => pick(short))
    if (in100(35)) typed = typed.replace(articles, '')
    if (in100(50)) typed = withoutAccents(typed)
    if (in100(25)) typed = slip(typed)
    if (in100(12)) typed = swapped(typed)
    if (in100(15)) typed = pick([typed.toUpperCase(), typed.toLowerCase(), ` ${typed}  `, typed.replace(/’/g, "'")])
    // Services encode what people typed.
    if (in100(20)) typed = typed.replace(/’/g, '&#8217;').replace(/ & /g, ' &amp; ')
    return typed
  }

  const swapped = (text: string): string => {
    const [first = '', ...others] = text.split(' ')
    return others.length > 0 && others.length < 4 ? `${others.join(' ')}, ${first}` : text
  }

  const phone = (text: string): string => {
    const digits = text.replace(/\D/g, '').slice(-9)
    const spaced = digits.replace(/(...)(...)(...)/, '$1 $2 $3')
    const paired = digits.replace(/(...)(..)(..)(..)/, '$1 $2 $3 $4')
    return pick([
      digits,
      spaced,
      paired,
      `+34${digits}`,
      `0034 ${spaced}`,
      `(+34) ${paired}`,
      spaced.replace(/ /g, '.'),
      `Tel. ${spaced}`,
    ])
  }

  const website = (text: string): string => {
    const host = text.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')
    return pick([`http://${host}`, `https://www.${host}/`, `http://www.${host}/index.html`, `https://${host}/`])
  }

  const address = (text: string): string => {
    let typed = in100(60) ? name(text) : text
    if (in100(30)) typed = typed.replace(/,\s*(\d+)/, pick([' $1', ', núm. $1', ', nº $1', ' n. $1']))
    if (in100(10)) typed = typed.replace(/,?\s*(?:n[úuº]?m?\.? ?)?\d+$/i, '')
    return typed
  }

  const forms: Readonly<Record<string, (text: string) => string>> = {
    venue: name,
    organizer: name,
    title: name,
    name: text => termName(text),
    phone,
    website,
    address,
    city: text => (in100(30) ? withoutAccents(text) : text),
    email: text => (in100(20) ? text.toUpperCase() : text),
    zip: text => text,
  }

  const termName = (text: string): string =>
    pick([
      withoutAccents(text),
      text.toLowerCase(),
      text.toUpperCase(),
      slip(text),
      text.replace(/ /g, '-'),
      ` ${text}`,
    ])

  /** People leave out what they do not know; the name stays. */
  const optional: ReadonlySet<string> = new Set(['address', 'zip', 'phone', 'website', 'email', 'city'])

  return (resource: string, fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
    const copy: Record<string, unknown> = {}
    for (const [field, value] of Object.entries(fields)) {
      const isLeftOut = optional.has(field) && in100(field === 'city' ? 10 : 30)
      if (isLeftOut) continue
      copy[field] = typeof value === 'string' ? (forms[field]?.(value) ?? value) : value
    }
    // An event of an import often has no venue, or another end.
    if (resource === 'events' && in100(20)) delete copy.venue
    if (resource === 'events' && in100(20)) copy.end_date = String(copy.end_date).replace(/:00:00$/, ':30:00')
    return copy
  }
}
