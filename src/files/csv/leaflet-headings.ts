import type { Language } from '../../contract/languages.ts'

/**
 * The columns of a sheet for a leaflet, with their headings by language. If a column stands for a field, its heading is one that can be
 * read.
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

/** Columns that have another form than in the calendar: reading them back would lose the HTML, or what the site adds to a price. */
const unreadColumns: readonly LeafletColumn[] = ['address', 'cost', 'description']

export const leafletHeadings = (language: Language): string[] =>
  Object.values(leafletColumns).map(words => words[language])

/** The headings of a leaflet that are not read; undefined for any other sheet. */
export function unreadInLeaflet(headings: readonly string[]): string[] | undefined {
  for (const language of ['ca', 'en', 'es'] as const)
    if (leafletHeadings(language).join('\n') === headings.map(heading => heading.trim()).join('\n'))
      return unreadColumns.map(column => leafletColumns[column][language])
  return undefined
}
