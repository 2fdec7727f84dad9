import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'

/** Objects with keys that others choose: fields, columns, headers, limits. */
const opaque = new Set([
  'values',
  'before',
  'after',
  'existing',
  'identity',
  'drift',
  'source',
  'said',
  'when',
  'headers',
  'thresholds',
  'among',
])

/** Whether an object is a record as a service answered it, which may have fields that the API does not describe. */
const isRecord = (value: object): boolean => 'id' in value && 'slug' in value && !('resource' in value)

/** The names of the API, from its description. */
async function apiNames(): Promise<Set<string>> {
  const service = createService({
    store: memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks: false }),
    now: () => new Date('2026-11-21T02:00:00Z'),
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
  })
  const { body } = await service({ method: 'GET', path: '/calendar/events/v1/doc' })
  const names = new Set<string>()
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { properties } = value as { properties?: object }
    for (const name of Object.keys(properties ?? {})) names.add(name)
    for (const part of Object.values(value)) collect(part)
  }
  collect(JSON.parse(String(body)))
  return names
}

/** The keys in the table of docs/json.md. */
export const documentedKeys = (): string[] =>
  readFileSync(join(import.meta.dirname, '../../docs/json.md'), 'utf8')
    .split('\n')
    .flatMap(line => (line.startsWith('| `') ? [...(line.split('|')[1] ?? '').matchAll(/`(.+?)`/g)] : []))
    .map(([, key = '']) => key)

let known: Promise<Set<string>> | undefined

const knownKeys = (): Promise<Set<string>> =>
  (known ??= apiNames().then(names => new Set([...names, ...documentedKeys()])))

/** The keys of these values that are neither in docs/json.md nor names of the API, each with its path. */
export async function unknownKeys(values: readonly unknown[]): Promise<string[]> {
  const names = await knownKeys()
  const unknown = new Set<string>()
  const look = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const part of value) look(part, path)
    else if (typeof value === 'object' && value !== null && !isRecord(value))
      for (const [key, part] of Object.entries(value)) {
        if (!names.has(key)) unknown.add(`${path}${key}`)
        if (!opaque.has(key)) look(part, `${path}${key}.`)
      }
  }
  look(values, '')
  return [...unknown]
}

/** The values in text that is JSON, or has a line of JSON each. */
export function jsonIn(text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return text.split('\n').flatMap(line => {
      if (!line.startsWith('{')) return []
      try {
        return [JSON.parse(line)]
      } catch {
        return []
      }
    })
  }
}
