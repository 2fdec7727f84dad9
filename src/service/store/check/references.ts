import { resourceNamed } from '../../../contract/contract.ts'
import type { Field } from '../../../contract/field.ts'
import type { Snapshot } from '../store.ts'
import { tableNames } from '../tables.ts'
import { columns, type Mistakes } from './columns.ts'

type Rows = Snapshot['rows']

/** Checks that no ID occurs twice: posts and images share one sequence, and so do terms. */
export function checkIds(rows: Rows, mistakes: Mistakes): void {
  for (const names of [
    ['events', 'venues', 'organizers', 'images'],
    ['categories', 'tags'],
  ] as const) {
    const paths = new Map<number, string>()
    for (const name of names)
      rows[name].forEach(({ id }, index) => {
        const path = `${name}[${index}]`
        const first = paths.get(id)
        if (first === undefined) paths.set(id, path)
        else mistakes.add(`${path}.id`, `${id} is the id of ${first} already`)
      })
  }
}

/** Checks that what records refer to exists, and that no category is its own ancestor. */
export function checkReferences(rows: Rows, mistakes: Mistakes): void {
  const idsIn = new Map<string, ReadonlySet<number>>(
    tableNames.map(name => [name, new Set(rows[name].map(({ id }) => id))]),
  )
  for (const name of tableNames)
    for (const [column, { of }] of Object.entries<Field>(columns[name])) {
      if (of === undefined) continue
      const { singular } = resourceNamed(of)
      rows[name].forEach((row, index) => {
        for (const id of [Reflect.get(row, column)].flat())
          if (id !== null && !idsIn.get(of)?.has(id))
            mistakes.add(`${name}[${index}].${column}`, `there is no ${singular} ${id}`)
      })
    }
  const parents = new Map(rows.categories.map(({ id, parent }) => [id, parent]))
  rows.categories.forEach(({ id }, index) => {
    if (isOwnAncestor(id, parents)) mistakes.add(`categories[${index}].parent`, `category ${id} is its own ancestor`)
  })
}

function isOwnAncestor(id: number, parents: ReadonlyMap<number, number | null>): boolean {
  const seen = new Set<number>()
  for (let next = parents.get(id); next && !seen.has(next); next = parents.get(next)) {
    if (next === id) return true
    seen.add(next)
  }
  return false
}
