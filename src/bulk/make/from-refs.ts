import { type Change, changeOf } from '../../client/change.ts'
import type { Client, Ref } from '../../client/client.ts'
import { createNames } from '../../client/names.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Language } from '../../contract/words.ts'
import { Failure } from '../../failure.ts'
import { readByIds } from '../known.ts'
import type { Invalid, Plan, Step } from '../plan.ts'
import { essence } from '../record.ts'
import { absent } from './absent.ts'
import { differing } from './differing.ts'
import { createLinks } from './links.ts'
import { type Making, planOf } from './making.ts'
import { type About, change, removal, restoration } from './step.ts'
import { createReader, type There, thereOf, unnarrowed } from './there.ts'

/** A record that a line names. */
export interface Named {
  readonly ref: Ref
  /** Where it is not the client's. */
  readonly language?: Language | undefined
  /** `line 3` */
  readonly place: string
}

/** The plan that makes the same change to each of many records. */
export async function planChange(
  making: Making,
  resource: Resource,
  refs: readonly Named[],
  asked: Change,
  createMissing = false,
): Promise<Plan> {
  const reader = createReader(making.client)
  const names = createNames(making.client, 'refuse')
  // The same few names in every record: looking for them takes less than reading all there is.
  const links = createLinks({ ...reader, find: (of, _, name) => names.find(of, name) })
  const said = new Set<string>()
  const notice = async (text: string) => {
    if (said.has(text)) return
    said.add(text)
    await making.notice(text)
  }
  const around = (language: Language | undefined) => ({
    ...making,
    notice,
    names: links.namesFor({ language, makesMissing: createMissing, isForeign: false }),
  })
  const plan = await planEach(making, resource, refs, false, async (about, before) => {
    const language = about.language ?? making.client.language
    const values = differing(resource, before, await changeOf(resource, before, asked, around(language)))
    return Object.keys(values).length > 0 ? change(about, before, values) : undefined
  })
  return { ...plan, steps: [...links.steps, ...plan.steps] }
}

/** The plan that takes many records away. */
export async function planRemoval(making: Making, resource: Resource, refs: readonly Named[]): Promise<Plan> {
  const plan = await planEach(making, resource, refs, false, async (about, before) => removal(about, before))
  const { total } = await making.client.list(resource, { ...unnarrowed(resource, undefined), per_page: 1 })
  return { ...plan, among: { [resource.name]: total } }
}

/** The plan that brings many records back from the trash. */
export const planRestoration = (
  making: Making,
  resource: Resource,
  refs: readonly Named[],
  status: string | undefined,
): Promise<Plan> =>
  planEach(making, resource, refs, true, async (about, before) => restoration(about, before, { status }))

/** A step for each record that is named, once; what is not there is told. */
async function planEach(
  making: Making,
  resource: Resource,
  refs: readonly Named[],
  trashed: boolean,
  stepOf: (about: About, before: Answer) => Promise<Step | undefined>,
): Promise<Plan> {
  const { client } = making
  const steps = new Map<string, Step | undefined>()
  const invalid: Invalid[] = []
  for (const [language, named] of byLanguage(refs)) {
    const found = await finder(client, resource, language, named, trashed)
    const other = language === client.language ? undefined : language
    for (const { ref, place } of named) {
      try {
        const before = found(ref)
        if (!before) throw await absent(client, { resource, ref, language, trashed })
        const key = `${resource.name} ${before.id}`
        if (!steps.has(key)) steps.set(key, await stepOf({ resource, language: other, key, record: { place } }, before))
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        const { message, details } = error
        invalid.push({
          at: place,
          message,
          ...(details.hint && { hint: details.hint }),
          resource: resource.name,
          source: { ...ref },
        })
      }
    }
  }
  const needed = [...steps.values()].filter(step => step !== undefined)
  return planOf(making, { steps: needed, same: steps.size - needed.length, invalid })
}

const byLanguage = (refs: readonly Named[]): Map<Language | undefined, Named[]> => {
  const groups = new Map<Language | undefined, Named[]>()
  for (const one of refs) {
    const group = groups.get(one.language)
    if (group) group.push(one)
    else groups.set(one.language, [one])
  }
  return groups
}

/** Reads the records of IDs, and all there is where slugs are among the refs. */
async function finder(
  client: Client,
  resource: Resource,
  language: Language | undefined,
  refs: readonly Named[],
  trashed: boolean,
): Promise<(ref: Ref) => Answer | undefined> {
  const reader = createReader(client)
  const hasSlugs = refs.some(({ ref }) => 'slug' in ref)
  const whole: There = hasSlugs ? await reader[trashed ? 'trash' : 'there'](resource, language) : thereOf(resource, [])
  const ids = refs.flatMap(({ ref }) => ('id' in ref && !whole.records.has(ref.id) ? ref.id : []))
  const others =
    ids.length > 0 ? await readByIds(client, { resource, ids, language, trashed }) : new Map<number, Answer>()
  return ref => {
    if ('slug' in ref) return whole.withSlug(ref.slug) ?? (trashed ? whole.withSlug(`${ref.slug}__trashed`) : undefined)
    const other = others.get(ref.id)
    return whole.records.get(ref.id) ?? (other && essence(resource, other))
  }
}
