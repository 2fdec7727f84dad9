import { Failure } from '../../base/failure.ts'
import { isObject } from '../../base/text/json.ts'
import { listOf } from '../../base/text/sentence-parts.ts'
import { normalizeText } from '../../base/text/similarity.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Field } from '../../contract/field.ts'
import { isLanguage, type Language } from '../../contract/languages.ts'
import { type Difference, type Differences, differences, onlyShown } from '../../contract/record.ts'
import { type Answer, type Resource, withAffectedFields } from '../../contract/resource.ts'
import { fieldLabel, namedRecord } from '../../contract/resource-words.ts'
import { threeWayMerge } from '../../contract/three-way-merge.ts'
import type { Reads, Values, WriteResult } from '../client.ts'
import { imageId, isImageUrl } from '../images/image-sources.ts'
import { maskSecrets } from './secret-values.ts'

/** The result of an update, from the record before it and after it. */
export const resultOf = (resource: Resource, before: Answer, record: Answer, values: Values): WriteResult => ({
  record,
  drift: {
    ...languageDrift(values.lang_code, record),
    ...unrequestedChanges(resource, before, record, values),
    ...unappliedChanges(resource, before, record, values),
  },
})

function unrequestedChanges(resource: Resource, before: Answer, after: Answer, values: Values): Differences {
  const expected = new Set(Object.keys(values).flatMap(name => withAffectedFields(resource, name)))
  const changed = Object.entries(differences(resource, before, after))
  return Object.fromEntries(changed.filter(([name]) => !expected.has(name)))
}

function unappliedChanges(resource: Resource, before: Answer, after: Answer, values: Values): Differences {
  // An image from a URL has a name of the site's own.
  const isLoaded = imageId(after) !== undefined && imageId(after) !== imageId(before)
  const isNewImage = (name: string, asked: unknown) =>
    resource.fields[name]?.kind.shape === 'picture' && isImageUrl(asked) && isLoaded
  return missedValues(resource, values, { before, after, isFine: isNewImage })
}

/** The fields that do not show what was asked for. `isFine` accepts values that a site shows in its own way. */
function missedValues(
  resource: Resource,
  values: Values,
  { before, after, isFine }: { before?: Answer; after: Answer; isFine(name: string, asked: unknown): boolean },
): Differences {
  const { already } = threeWayMerge(resource, { mine: values, theirs: after })
  const isMissed = ([name, asked]: [string, unknown]) => {
    const field = resource.fields[name]
    return field && !field.queryOnly && !already.includes(name) && !isFine(name, asked)
  }
  const missed = Object.entries(values).filter(isMissed)
  const drift = missed.map(([name, asked]): [string, Difference] => [
    name,
    { before: before?.[name] ?? null, after: after[name] ?? null, asked },
  ])
  return maskSecrets(resource, Object.fromEntries(drift))
}

/** The difference if a record is not in the trash after a removal. Terms have no trash: the answer shows them as they were. */
export const removalDrift = (resource: Resource, after: Answer): Differences =>
  resource.trashable ? missedValues(resource, { status: 'trash' }, { after, isFine: () => false }) : {}

/** The failure of an update with drift; undefined without. */
export function driftFailure(resource: Resource, { record, drift }: WriteResult): Failure | undefined {
  const fields = Object.keys(drift)
  if (fields.length === 0) return undefined
  if (drift.lang_code) return otherLanguage(resource, record, drift, drift.lang_code)
  const { status } = drift
  if (status?.after === 'pending' && status.asked === 'publish' && fields.length === 1)
    return pendingFailure(resource, record, drift)
  const list = Object.entries(drift).map(
    ([name, difference]) =>
      describeReturn(resource.fields[name], difference) ??
      describe(fieldLabel(name, resource.fields[name]), difference),
  )
  const message = phrase('{record} differs from the request: {differences}', {
    record: namedRecord(resource.name, record.id),
    differences: list.join('; '),
  })
  return new Failure('conflict', message, {
    hint: phrase('see it with: {command}', {
      command: `calctl ${resource.name} get ${record.id} --fields ${fields.join(',')}`,
    }),
    drift,
    record: onlyShown(record),
  })
}

/** WordPress makes what a contributor publishes pending. */
const pendingFailure = ({ name }: Resource, record: Answer, drift: Differences): Failure =>
  new Failure(
    'conflict',
    phrase('{record} is pending: somebody else must publish it', { record: namedRecord(name, record.id) }),
    {
      hint: phrase('ask somebody who may publish to run: {command}', {
        command: `calctl ${name} update ${record.id} --status publish`,
      }),
      drift,
      record: onlyShown(record),
    },
  )

/** The difference if a plugin for translations has put a record into another language; its links may then be missing, too. */
function otherLanguage({ name }: Resource, record: Answer, drift: Differences, { after, asked }: Difference): Failure {
  const [actual, wanted] = [String(after), String(asked)]
  const message = phrase('{record} is in the language {actual}, not in {wanted}', {
    record: namedRecord(name, record.id),
    actual,
    wanted,
  })
  return new Failure('conflict', message, {
    hint: phrase(
      'remove it with: {remove}; or set its language in WordPress; if {wanted} has its own address, set that first with: {edit}',
      {
        remove: `calctl ${name} delete ${record.id} --lang ${actual}`,
        wanted,
        edit: phrase('calctl profiles edit NAME --base-url-for {language}=URL', { language: wanted }),
      },
    ),
    drift,
    record: onlyShown(record),
  })
}

/** A record as the service showed it, without the stored forms of its texts. */

/** Places that an event shows only since the update: the site published them along with it, out of the trash. Undefined for other changes. */
function describeReturn(field: Field | undefined, { before, after, ...rest }: Difference): string | undefined {
  if (!field?.of || field.kind.isTerms || 'asked' in rest) return undefined
  const { of } = field
  const added = [after].flat().filter(id => id !== null && ![before].flat().includes(id))
  const places = listOf(added.map(id => namedRecord(of, String(id))))
  return added.length > 0
    ? phrase('the site took {places} out of the trash and published {count, plural, one {it} other {them}}', {
        places,
        count: added.length,
      })
    : undefined
}

function describe(field: string, difference: Difference): string {
  const [before, after] = [difference.before, difference.after].map(value => JSON.stringify(value))
  if ('asked' in difference)
    return phrase('{field} should be {asked} but is {after}', {
      field,
      asked: JSON.stringify(difference.asked) ?? '',
      after: after ?? '',
    })
  return phrase('{field} changed from {before} to {after} although it was not part of the request', {
    field,
    before: before ?? '',
    after: after ?? '',
  })
}

/**
 * The language of a new record, by its answer or by the address at which it is found; the requested one if neither tells. A plugin for
 * translations may choose the language itself. One more request where each language has an address of its own.
 */
export async function landedIn(
  [asked, client]: readonly [Language, Reads],
  others: () => Promise<readonly (readonly [Language, Reads])[]>,
  resource: Resource,
  record: Answer,
): Promise<Language> {
  if (record.lang_code) return record.lang_code
  if (await isAt(client, resource, record)) return asked
  for (const [language, other] of await others()) if (await isAt(other, resource, record)) return language
  return asked
}

/** Whether a record may be at an address. Only `missing` says that it is not: other failures are no reason to look for it elsewhere. */
async function isAt(client: Reads, resource: Resource, { id }: Answer): Promise<boolean> {
  try {
    await client.get(resource, { id })
    return true
  } catch (error) {
    if (error instanceof Failure) return error.kind !== 'missing'
    throw error
  }
}

/** The difference between the requested language and that of the answer. Sites add a country, as in `es_ES`. */
export function languageDrift(asked: unknown, { lang_code: language }: Answer): Differences {
  const landed = typeof language === 'string' ? language.toLowerCase().split(/[-_]/)[0] : undefined
  if (!isLanguage(asked) || !landed || landed === asked) return {}
  return { lang_code: { before: null, after: landed, asked } }
}

/** Whether a site writes a field through `wp/v2` alone. */
export const isPatchOnly = ({ fields }: Resource, name: string): boolean => fields[name]?.site?.onlyBy === 'patch'

/** Whether a site has a field outside of its events API. */
const isApart = ({ fields }: Resource, name: string): boolean => fields[name]?.site?.apart === true

/** The values without those that only `wp/v2` writes. */
export const withoutPatchOnly = (resource: Resource, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !isPatchOnly(resource, name)))

/** The values that a patch has to give a new record, because only `wp/v2` writes them or the events API drops them, and the others. */
export function patchedAfterwards(resource: Resource, values: Values): { patch: Values; others: Values } {
  const isPatched = ([name, value]: [string, unknown]) =>
    isPatchOnly(resource, name) || isApart(resource, name) || resource.fields[name]?.kind.isDropped?.(value) === true
  const entries = Object.entries(values)
  return {
    patch: Object.fromEntries(entries.filter(isPatched)),
    others: Object.fromEntries(entries.filter(entry => !isPatched(entry))),
  }
}

/** The values that a new record does not have as they were sent. */
export const missingIn = (resource: Resource, values: Values, record: Answer): Differences =>
  missedValues(resource, values, {
    after: record,
    isFine(name, asked) {
      // Of two dates of publication the local one counts.
      const isTwin = Object.keys(values).some(other => resource.fields[other]?.site?.sameAs === name)
      return isTwin || isUnset(asked) || isShownOtherwise(name, resource.fields[name], values, record)
    },
  })

/** Whether an empty value was sent for a new record: the site then chooses, as if there was none. */
const isUnset = (asked: unknown): boolean =>
  asked === undefined || asked === null || asked === '' || (Array.isArray(asked) && asked.length === 0)

function isShownOtherwise(name: string, field: Field | undefined, values: Values, record: Answer): boolean {
  const { [name]: asked } = values
  // A publication date in the future schedules the record.
  if (name === 'status' && asked === 'publish' && (values.date ?? values.date_utc)) return record.status === 'future'
  // A site loads an image from its URL, and stores it under a name of its own.
  if (field?.kind.shape === 'picture' && /^https?:/i.test(String(asked))) return isObject(record[name])
  return field?.kind.shape === 'prose' && typeof asked === 'string' && isShownAs(asked, String(record[name] ?? ''))
}

/** What WordPress renders differently: blocks, shortcodes, smileys, signs in parentheses, addresses of videos. */
const rendersOtherwise = /<!--|\[\/?\w[^\]]*\]|[:;]-?[()DPp|?]|\((?:tm|c|r)\)|https?:\/\//i

/**
 * Whether a rendered text was made from this one: the same words between the same tags. For what is rendered differently the answer cannot
 * tell. Backslashes always show, because they are always lost.
 */
function isShownAs(asked: string, shown: string): boolean {
  if (asked.includes('\\') !== shown.includes('\\')) return false
  if (rendersOtherwise.test(asked)) return shown !== ''
  const tags = tagsIn(shown)
  return wordsIn(asked) === wordsIn(shown) && tagsIn(asked).every(tag => tags.includes(tag))
}

/** The words of a text, which every API renders alike, whatever markup it gives them. */
export const wordsIn = (text: string): string => normalizeText(text.replace(/<[^<>]*>/g, ' ')).replace(/\s+/g, '')

const tagsIn = (text: string): string[] =>
  Array.from(text.matchAll(/<([a-z][a-z\d]*)/gi), ([, name = '']) => name.toLowerCase()).filter(
    name => name !== 'p' && name !== 'br',
  )
