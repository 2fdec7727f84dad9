import type { Page } from './client.ts'

/**
 * Pages from `first` on, by number. The next one is asked for while this one is used, but none beyond the `wanted` records.
 * The service's count of pages is believed anew each time, and an empty page is the end: records come and go meanwhile.
 */
export async function* walk(
  page: (number: number) => Promise<Page>,
  first: number,
  wanted = Number.POSITIVE_INFINITY,
): AsyncGenerator<Page> {
  let seen = 0
  let next: Promise<Page> | undefined = page(first)
  for (let number = first; next; number++) {
    const current: Page = await next
    if (current.records.length === 0) return
    seen += current.records.length
    next = number < current.pages && seen < wanted ? page(number + 1) : undefined
    // Whoever stops reading early never asks what became of it.
    next?.catch(() => {})
    yield current
  }
}
