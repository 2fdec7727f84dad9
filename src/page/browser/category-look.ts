import { colorsOfCategories } from '../../files/print/sheet-page.ts'

/** How events of a category are marked: by a colour, and by a shape for those who cannot tell the colours apart. */
export interface CategoryLook {
  readonly color: string
  /** A class of the style sheet. */
  readonly shape: string
}

export type Look = (category: { readonly id: number; readonly name: string } | undefined) => CategoryLook

/** How many shapes the style sheet has; no divisor of the number of colours, so that all pairs differ. */
const shapes = 7

/** The looks of all categories of a calendar, whichever of them are shown. */
export function looksOf(ids: readonly number[]): Look {
  const ordered = ids.toSorted((one, other) => one - other)
  const colorOf = colorsOfCategories(ordered.map(id => ({ id })))
  const places = new Map(ordered.map((id, place) => [id, place]))
  return category => ({
    color: colorOf(category),
    shape: category === undefined ? 'no-shape' : `shape-${(places.get(category.id) ?? category.id) % shapes}`,
  })
}
