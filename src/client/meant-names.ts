import { type Failure, usage } from '../base/failure.ts'
import { type MeantPlaces, meantPlaces } from '../base/text/place-names.ts'
import { listOf } from '../base/text/sentence-parts.ts'
import { onlyLongerName, similarName } from '../base/text/similarity.ts'
import { phrase } from '../base/words/phrase.ts'
import type { Resource } from '../contract/resource.ts'
import { recordNoun } from '../contract/resource-words.ts'

/** The existing and planned names that another name may mean. */
export function meantNames(
  resource: Resource,
  name: string,
  known: readonly string[],
  planned: readonly string[] = [],
): MeantPlaces {
  // A longer text is no name, and takes long to be compared.
  if (isVenue(resource) && name.length < 200) {
    const meant = meantPlaces(name, [...new Set([...known, ...planned])])
    // A file that has `Sala` and `Sala Gran` means two places.
    const { names } = meant.isCertain ? meant : meantPlaces(name, known)
    return { names: names.length > 0 ? names : [similarName(name, planned) ?? []].flat(), isCertain: meant.isCertain }
  }
  // The names of organizers are long, and people write only their beginning; but `Dansa` is not short for `Dansa contemporània`.
  const longer = resource.trashable ? onlyLongerName(name, known) : undefined
  const close = similarName(name, [...known, ...planned]) ?? longer
  return { names: close === undefined ? [] : [close], isCertain: false }
}

/** The failure for a name that no record has, and that may mean one of these. */
export function doubtfulName(resource: Resource, name: string, names: readonly string[]): Failure {
  const noun = recordNoun(resource.name)
  const [existing = ''] = names
  const message =
    names.length === 1
      ? phrase('no {noun} is called "{name}", but one is called "{existing}"', { noun, name, existing })
      : phrase('no {noun} is called "{name}"; it may be {names}', { noun, name, names: quotedNames(names) })
  return usage(message, phrase('correct the name, or create it anyway with: {options}', { options: '--allow-similar' }))
}

/** How many names a sentence has: a town may have a hundred places called `Sant Joan`. */
const mostNamed = 8

export function quotedNames(names: readonly string[]): string {
  const quoted = names.slice(0, mostNamed).map(name => `"${name}"`)
  return listOf(quoted, 'or')
}

export const isVenue = ({ name }: Resource): boolean => name === 'venues'
