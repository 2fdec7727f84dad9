/** Looks at the beginning of a stream, until it is enough, and gives the whole of it back. */
export async function look<T>(
  items: AsyncIterable<T>,
  isEnough: (seen: readonly T[]) => boolean,
): Promise<{ seen: readonly T[]; all: AsyncIterable<T> }> {
  const iterator = items[Symbol.asyncIterator]()
  const seen: T[] = []
  while (!isEnough(seen)) {
    const next = await iterator.next()
    if (next.done) break
    seen.push(next.value)
  }
  return { seen, all: continued(seen, iterator) }
}

async function* continued<T>(seen: readonly T[], iterator: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    yield* seen
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
  } finally {
    await iterator.return?.()
  }
}
