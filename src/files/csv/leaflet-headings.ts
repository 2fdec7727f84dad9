import { type Language, languages } from '../../contract/languages.ts'

/**
 * The columns of a sheet for a leaflet, with their headings by language.
 */
export const leafletColumns = {
  title: { ca: 'Títol', en: 'Title', es: 'Título' },
  day: { ca: 'Data', en: 'Date', es: 'Fecha' },
  time: { ca: 'Hora', en: 'Time', es: 'Hora' },
  endDay: { ca: 'Data fi', en: 'End day', es: 'Fecha fin' },
  endTime: { ca: 'Hora fi', en: 'End time', es: 'Hora fin' },
  venue: { ca: 'Lloc', en: 'Place', es: 'Lugar' },
  address: { ca: 'Adreça', en: 'Address', es: 'Dirección' },
  organizer: { ca: 'Organitza', en: 'Organised by', es: 'Organiza' },
  categories: { ca: 'Categoria', en: 'Category', es: 'Categoría' },
  tags: { ca: 'Etiquetes', en: 'Tags', es: 'Etiquetas' },
  cost: { ca: 'Preu', en: 'Price', es: 'Precio' },
  description: { ca: 'Descripció', en: 'Description', es: 'Descripción' },
  website: { ca: 'Web', en: 'Website', es: 'Web' },
} as const satisfies Record<string, Readonly<Record<Language, string>>>

export type LeafletColumn = keyof typeof leafletColumns

export const leafletHeadings = (language: Language): string[] =>
  Object.values(leafletColumns).map(words => words[language])

export const isLeaflet = (headings: readonly string[]): boolean => {
  const written = headings.map(heading => heading.trim()).join('\n')
  return languages.some(language => leafletHeadings(language).join('\n') === written)
}
