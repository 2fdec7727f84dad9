import { type Language, languages } from '../../contract/languages.ts'
import columns from './leaflet-columns.json' with { type: 'json' }

/**
 * The columns of a sheet for a leaflet, with their headings by language.
 */
export const leafletColumns: Readonly<Record<LeafletColumn, Readonly<Record<Language, string>>>> = columns

export type LeafletColumn = keyof typeof columns

export const leafletHeadings = (language: Language): string[] =>
  Object.values(leafletColumns).map(words => words[language])

export const isLeaflet = (headings: readonly string[]): boolean => {
  const written = headings.map(heading => heading.trim()).join('\n')
  return languages.some(language => leafletHeadings(language).join('\n') === written)
}
