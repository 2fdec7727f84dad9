/** The paths of `--fields` as a tree: `id,venue.city` is id, and city inside venue. */
export type PathTree = ReadonlyMap<string, PathTree>

/** Parses paths such as `venue.city`. A path to a whole object takes precedence over paths into it. */
export function pathTree(paths: readonly string[]): PathTree {
  const tree = new Map<string, PathTree>()
  const tops = new Set(paths.map(path => path.split('.')[0] ?? ''))
  for (const top of tops) {
    const inside = paths.filter(path => path === top || path.startsWith(`${top}.`))
    tree.set(top, inside.includes(top) ? new Map() : pathTree(inside.map(path => path.slice(top.length + 1))))
  }
  return tree
}

/** The record with only these fields: keeps nesting, maps over lists, and gives null for missing fields. */
export function selectFields(value: unknown, fields: PathTree): unknown {
  if (fields.size === 0) return value ?? null
  if (Array.isArray(value)) return value.map(item => selectFields(item, fields))
  return Object.fromEntries([...fields].map(([name, inside]) => [name, selectFields(property(value, name), inside)]))
}

/** The value at a path; in a list, the list of its items' values. */
export function valueAt(value: unknown, path: string): unknown {
  const [name = '', ...rest] = path.split('.')
  return rest.reduce<unknown>(stepInto, property(value, name))
}

const stepInto = (value: unknown, name: string): unknown =>
  Array.isArray(value) ? value.map(item => stepInto(item, name)) : property(value, name)

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

/** The fields that can be the name of a linked record or image, in order of preference. */
const nameFields = ['title', 'name', 'venue', 'organizer', 'url']

/** Any value as text: a linked record by its name, a list with commas, a missing value as an empty text. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value))
    return value
      .map(cellText)
      .filter(text => text !== '')
      .join(', ')
  return typeof value === 'object' ? nameOf(value) : String(value)
}

function nameOf(record: object): string {
  const values = new Map<string, unknown>(Object.entries(record))
  return String(
    nameFields.map(name => values.get(name)).find(value => typeof value === 'string') ?? JSON.stringify(record),
  )
}
