import type { TableName } from '../rows.ts'
import type { Snapshot } from '../store.ts'
import type { Mistakes } from './mistakes.ts'

type Rows = Snapshot['rows']

/** Sees that no id is there twice: posts and images share their ids, and so do terms. */
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

/** Sees that what records refer to is there, and that no category is its own ancestor. */
export function checkReferences(rows: Rows, mistakes: Mistakes): void {
  const ids = (name: TableName) => new Set(rows[name].map(({ id }) => id))
  const [events, venues, organizers, categories, tags] = [
    ids('events'),
    ids('venues'),
    ids('organizers'),
    ids('categories'),
    ids('tags'),
  ]
  const expectIn = (known: ReadonlySet<number>, singular: string, path: string, given: readonly (number | null)[]) => {
    for (const id of given) if (id !== null && !known.has(id)) mistakes.add(path, `there is no ${singular} ${id}`)
  }
  rows.events.forEach((event, index) => {
    const path = `events[${index}]`
    expectIn(venues, 'venue', `${path}.venue`, [event.venue])
    expectIn(organizers, 'organizer', `${path}.organizer`, event.organizer)
    expectIn(categories, 'category', `${path}.categories`, event.categories)
    expectIn(tags, 'tag', `${path}.tags`, event.tags)
    expectIn(events, 'event', `${path}.post_parent`, [event.post_parent])
  })
  const parents = new Map(rows.categories.map(({ id, parent }) => [id, parent]))
  rows.categories.forEach(({ id, parent }, index) => {
    const path = `categories[${index}].parent`
    expectIn(categories, 'category', path, [parent])
    if (isOwnAncestor(id, parents)) mistakes.add(path, `category ${id} is its own ancestor`)
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
