import { usage } from '../../../base/failure.ts'
import { isObject } from '../../../base/text/json.ts'
import { readJsonAt } from '../../../base/text/strict-json.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { RefLine } from '../../../changes/plan/making/from-refs.ts'
import { isLanguage } from '../../../contract/languages.ts'
import type { Resource } from '../../../contract/resource.ts'
import { slugKey } from '../../../contract/slug.ts'
import type { App } from '../../app.ts'
import { readRef } from './ref-arguments.ts'

/** Reads refs from stdin, one on each line: IDs, slugs, or records as NDJSON, of which the ID or else the slug counts. */
export async function refsOnStdin(app: App, resource: Resource, texts: readonly string[], bySlug: boolean | undefined) {
  if (texts.length > 1)
    throw usage(
      phrase('- cannot be combined with other IDs or slugs'),
      phrase('pass all of them as arguments, or all on stdin'),
    )
  const { decodeText, linesOf } = await import('../../../files/text-streams.ts')
  const { readInput } = await import('./input.ts')
  const refs: RefLine[] = []
  let number = 0
  for await (const line of linesOf(decodeText(readInput(app, '-'), 'stdin', () => {}))) {
    number += 1
    const place = phrase('line {number}', { number })
    if (line.trim() !== '') refs.push({ place, ...parseRefLine(line.trim(), place, resource, bySlug) })
  }
  return refs
}

function parseRefLine(line: string, place: string, resource: Resource, bySlug: boolean | undefined) {
  if (line.startsWith('{')) return refOfRecord(line, place)
  if (/[\t[\]]/.test(line))
    throw usage(
      phrase('{place}: expected an ID, a slug or a record, got "{text}"', { place, text: line.slice(0, 60) }),
      phrase('pass one per line, as calctl {resource} list -o ids or -o ndjson does', { resource: resource.name }),
    )
  return { ref: readRef(resource, line, bySlug) }
}

function refOfRecord(line: string, place: string): Omit<RefLine, 'place'> {
  const { id, slug, lang_code: language } = parseRecord(line, place)
  const inLanguage = isLanguage(language) ? { language } : {}
  if (typeof id === 'number' && id > 0) return { ref: { id }, ...inLanguage }
  if (slugKey(slug)) return { ref: { slug: String(slug) }, ...inLanguage }
  throw usage(
    phrase('{place}: the record has neither an id nor a slug', { place }),
    phrase('include one of them: --fields id,title'),
  )
}

function parseRecord(line: string, place: string): Record<string, unknown> {
  const hint = phrase('pass one record per line, as -o ndjson writes them')
  const value = readJsonAt(place, line, hint)
  if (isObject(value)) return value
  throw usage(phrase('{place}: expected a record', { place }), hint)
}
