import { property } from './printed-rows.ts'

/** Selects the fields of a record to print: all, or those of --fields. */
export type Projection = (record: unknown) => unknown

/** The projection for paths such as `venue.city`. */
export function projectionOf(paths: readonly string[] | undefined): Projection {
  const tree = paths && pathTree(paths)
  return record => (tree ? selectFields(record, tree) : record)
}

/** The paths of `--fields` as a tree: for `id,venue.city`, id, and city inside venue. */
type PathTree = ReadonlyMap<string, PathTree>

/** Parses paths. A path to a whole object takes precedence over paths into it. */
function pathTree(paths: readonly string[]): PathTree {
  const tree = new Map<string, PathTree>()
  const tops = new Set(paths.map(path => path.split('.')[0] ?? ''))
  for (const top of tops) {
    const inside = paths.filter(path => path === top || path.startsWith(`${top}.`))
    tree.set(top, inside.includes(top) ? new Map() : pathTree(inside.map(path => path.slice(top.length + 1))))
  }
  return tree
}

/** The record with only these fields: nesting stays, lists are mapped, and missing fields are null. */
function selectFields(value: unknown, fields: PathTree): unknown {
  if (fields.size === 0) return value ?? null
  if (Array.isArray(value)) return value.map(item => selectFields(item, fields))
  return Object.fromEntries([...fields].map(([name, inside]) => [name, selectFields(property(value, name), inside)]))
}
