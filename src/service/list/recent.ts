/** Values by key, of which only the most recently used are kept. */
export interface Recent<T> {
  get(key: string, make: () => T): T
  all(): Iterable<T>
}

/** Keeps as many values as there is room for. */
export function recent<T>(room: number): Recent<T> {
  const values = new Map<string, T>()
  return {
    get(key, make) {
      const value = values.get(key) ?? make()
      values.delete(key)
      values.set(key, value)
      const [oldest] = values.keys()
      if (values.size > room && oldest !== undefined) values.delete(oldest)
      return value
    },
    all: () => values.values(),
  }
}
