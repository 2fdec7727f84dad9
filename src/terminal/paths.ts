/** What `--fields` asks for, as a tree: `id,venue.city` is id, and city inside venue. */
export type Wanted = ReadonlyMap<string, Wanted>

/** Reads paths such as `venue.city`. A path to the whole of something wins over paths into it. */
export function wanted(paths: readonly string[]): Wanted {
  const tree = new Map<string, Wanted>()
  const tops = new Set(paths.map(path => path.split('.')[0] ?? ''))
  for (const top of tops) {
    const inside = paths.filter(path => path === top || path.startsWith(`${top}.`))
    tree.set(top, inside.includes(top) ? new Map() : wanted(inside.map(path => path.slice(top.length + 1))))
  }
  return tree
}

/** The same record with the wanted fields only: nesting is kept, lists are mapped over, what is missing is null. */
export function narrow(value: unknown, fields: Wanted): unknown {
  if (fields.size === 0) return value ?? null
  if (Array.isArray(value)) return value.map(item => narrow(item, fields))
  return Object.fromEntries([...fields].map(([name, inside]) => [name, narrow(property(value, name), inside)]))
}

/** What stands at a path; over a list, a list of what stands there in each item. */
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
