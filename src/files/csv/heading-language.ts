import { resources } from '../../contract/contract.ts'
import { type Language, languages } from '../../contract/languages.ts'
import { foldHeading, headingAsName, recordColumns } from './heading-names.ts'
import { leafletHeadings } from './leaflet-headings.ts'

/** The language of which most headings of a sheet are words; undefined for calctl's own names, and where none is ahead. */
export function languageOfHeadings(headings: readonly string[]): Language | undefined {
  const written = headings.filter(heading => !isOwnName(heading)).map(foldHeading)
  const counts = languages.map(language => {
    const words = wordsOf(language)
    return { language, count: written.filter(heading => words.has(heading)).length }
  })
  const [most, second] = counts.toSorted((one, other) => other.count - one.count)
  return most && second && most.count > second.count ? most.language : undefined
}

const isOwnName = (heading: string): boolean =>
  heading === headingAsName(heading) &&
  (recordColumns.has(heading) || resources.some(({ fields }) => Object.hasOwn(fields, heading)))

/** The usual headings of a language, and its words for fields: `Categories: ID, slug o nom`. */
const wordsOf = (language: Language): Set<string> => {
  const fields = resources.flatMap(resource => Object.values(resource.fields))
  return new Set(
    [...leafletHeadings(language), ...fields.map(({ words }) => words[language].split(':')[0] ?? '')].map(foldHeading),
  )
}
