import type { Failure } from '../../base/failure.ts'
import { isLanguage } from '../../contract/languages.ts'
import { type Difference, type Differences, differences } from '../../contract/record.ts'
import { type Answer, type Resource, withAffectedFields } from '../../contract/resource.ts'
import { threeWayMerge } from '../../contract/three-way-merge.ts'
import type { Values, WriteResult } from '../client.ts'
import { imageId, isImageUrl } from '../images/image-sources.ts'
import { failureOfDrift } from './drift-failure.ts'
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
  const isNewImage = (name: string, asked: unknown) =>
    resource.fields[name]?.kind.shape === 'picture' &&
    isImageUrl(asked) &&
    imageId(after) !== undefined &&
    imageId(after) !== imageId(before)
  return missedValues(resource, values, { before, after, isFine: isNewImage })
}

/** The fields that do not show what was asked for. `isFine` accepts values that a site shows in its own way. */
export function missedValues(
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
export const driftFailure = (resource: Resource, result: WriteResult): Failure | undefined =>
  Object.keys(result.drift).length === 0 ? undefined : failureOfDrift(resource, result)

/** The difference between the requested language and that of the answer. Sites add a country, as in `es_ES`. */
export function languageDrift(asked: unknown, { lang_code: language }: Answer): Differences {
  const landed = typeof language === 'string' ? language.toLowerCase().split(/[-_]/)[0] : undefined
  if (!isLanguage(asked) || !landed || landed === asked) return {}
  return { lang_code: { before: null, after: landed, asked } }
}

/** Whether a site writes a field through `wp/v2` alone. */
export const isPatchOnly = ({ fields }: Resource, name: string): boolean => fields[name]?.site?.onlyBy === 'patch'

/** The values without those that only `wp/v2` writes. */
export const withoutPatchOnly = (resource: Resource, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !isPatchOnly(resource, name)))
