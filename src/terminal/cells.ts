/** How linked records and images are called, whichever of these they have. */
const names = ['title', 'name', 'venue', 'organizer', 'url']

/** Any value as one text: a linked record by its name, a list with commas, what is missing as nothing. */
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
  return String(names.map(name => values.get(name)).find(value => typeof value === 'string') ?? JSON.stringify(record))
}
