import type { ResourceName } from '../../contract/field.ts'

/**
 * What people call the columns of their sheets, in Catalan, Spanish and English, beside the words of the contract and the headings
 * of the importer. Case, accents, blanks, punctuation and articles do not count: `Data d’inici` is `data inici`. `start_date.at` is
 * a column that may hold a day, a time or both.
 */
type Aliases = Readonly<Record<string, readonly string[]>>

const description: readonly string[] = [
  ...['descripció', 'text', 'contingut', 'detalls', 'sinopsi'],
  ...['descripción', 'texto', 'contenido', 'detalles', 'sinopsis'],
  ...['details', 'content', 'body', 'synopsis'],
]

const website: readonly string[] = [
  ...['web', 'pàgina web', 'lloc web', 'enllaç'],
  ...['página web', 'sitio web', 'enlace'],
  ...['web page', 'web site', 'link'],
]

const image: readonly string[] = [
  ...['imatge', 'foto', 'fotografia', 'cartell'],
  ...['imagen', 'fotografía', 'cartel'],
  ...['picture', 'photo', 'poster'],
]

const image_alt: readonly string[] = ['text alternatiu', 'texto alternativo', 'alt', 'alt text', 'alternative text']

const phone: readonly string[] = ['telèfon', 'teléfono', 'tel', 'phone', 'telephone']

const events: Aliases = {
  title: [
    ...['títol', 'títol acte', 'nom', 'nom acte', 'acte', 'activitat', 'esdeveniment', 'espectacle'],
    ...['título evento', 'nombre', 'nombre evento', 'evento', 'acto', 'actividad', 'espectáculo'],
    ...['name', 'event', 'event title', 'activity', 'subject'],
  ],
  'start_date.day': [
    ...['data', 'data inici', 'data acte', 'data i hora', 'dia', 'dia inici'],
    ...['fecha', 'fecha inicio', 'fecha evento', 'fecha y hora', 'día', 'día inicio'],
    ...['day', 'start day', 'event date', 'date and time'],
  ],
  'start_date.time': [
    ...['hora', 'hora inici', 'hora acte', 'horari'],
    ...['hora inicio', 'hora evento', 'horario'],
    ...['time', 'start time', 'hour'],
  ],
  'start_date.at': ['inici', 'comença', 'començament', 'inicio', 'comienzo', 'empieza', 'start', 'starts', 'begins'],
  'end_date.day': [
    ...['data fi', 'data final', 'data finalització', 'data acabament', 'dia fi', 'dia final'],
    ...['fecha fin', 'fecha final', 'fecha finalización', 'día fin', 'día final'],
    ...['end day'],
  ],
  'end_date.time': [
    ...['hora fi', 'hora final', 'hora finalització', 'hora acabament'],
    ...['hora fin', 'hora finalización'],
    ...['end time', 'finish time'],
  ],
  'end_date.at': ['fi', 'final', 'acaba', 'acabament', 'fin', 'termina', 'acaba', 'end', 'ends', 'finish'],
  'end_date.length': ['durada', 'duració', 'duración', 'duration', 'length'],
  timezone: ['fus horari', 'zona horària', 'huso horario', 'zona horaria', 'time zone'],
  all_day: ['tot el dia', 'dia sencer', 'todo el día', 'día completo', 'all day'],
  'venue.name': [
    ...['lloc', 'lloc acte', 'espai', 'sala', 'recinte', 'ubicació', 'localització'],
    ...['lugar', 'lugar evento', 'espacio', 'recinto', 'ubicación', 'localización'],
    ...['place', 'location', 'venue name', 'where'],
  ],
  'organizer.names': [
    ...['organitza', 'organitzador', 'organitzadora', 'organitzadors', 'organització', 'entitat'],
    ...['organiza', 'organizador', 'organizadora', 'organizadores', 'organización', 'entidad'],
    ...['organizers', 'organiser', 'organisers', 'organized by', 'organised by', 'host', 'hosts'],
  ],
  'categories.names': [
    ...['categoria', 'tipus', 'tipus acte', 'categoría', 'categorías', 'tipo', 'tipo evento'],
    ...['category', 'event type'],
  ],
  'tags.names': [
    ...['etiquetes', 'etiqueta', 'paraules clau', 'etiquetas', 'palabras clave'],
    ...['tag', 'keywords', 'labels'],
  ],
  cost: [
    ...['preu', 'preus', 'tarifa', 'tarifes', 'entrada', 'import'],
    ...['precio', 'precios', 'coste', 'tarifas', 'importe'],
    ...['price', 'prices', 'fee', 'admission'],
  ],
  description,
  excerpt: ['extracte', 'resum', 'entradeta', 'extracto', 'resumen', 'entradilla', 'abstract'],
  website,
  image,
  image_alt,
  featured: ['destacat', 'destacada', 'destacado'],
}

const venues: Aliases = {
  venue: [
    ...['nom', 'nom lloc', 'espai', 'lloc', 'sala', 'recinte'],
    ...['nombre', 'nombre espacio', 'espacio', 'lugar', 'recinto'],
    ...['name', 'place'],
  ],
  address: ['adreça', 'carrer', 'domicili', 'dirección', 'calle', 'domicilio', 'street'],
  city: ['població', 'ciutat', 'municipi', 'localitat', 'ciudad', 'población', 'municipio', 'localidad', 'town'],
  zip: ['codi postal', 'cp', 'código postal', 'postcode', 'zip code'],
  description,
  phone,
  website,
  image,
  image_alt,
}

const organizers: Aliases = {
  organizer: [
    ...['nom', 'entitat', 'organitzador', 'organitza', 'organització'],
    ...['nombre', 'entidad', 'organizador', 'organiza', 'organización'],
    ...['name', 'organiser'],
  ],
  email: ['correu', 'correu electrònic', 'correo', 'correo electrónico', 'e-mail', 'mail'],
  description,
  phone,
  website,
  image,
  image_alt,
}

const terms: Aliases = { name: ['nom', 'nombre'], description }

export const headingAliases: Readonly<Record<ResourceName, Aliases>> = {
  events,
  venues,
  organizers,
  categories: { ...terms, parent: ['categoria mare', 'categoría madre', 'parent category'] },
  tags: terms,
}
