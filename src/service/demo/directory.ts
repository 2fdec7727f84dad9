import { say, type Words } from '../../contract/languages.ts'
import type { OrganizerRow, VenueRow } from '../store/rows.ts'

type Venue = Pick<VenueRow, 'address'> &
  Partial<Pick<VenueRow, 'phone' | 'website' | 'geo_lat' | 'geo_lng'>> & {
    readonly venue: Words
    readonly description: Words
    readonly picture?: string
  }

type Organizer = Pick<OrganizerRow, 'email'> &
  Partial<Pick<OrganizerRow, 'phone' | 'website'>> & { readonly organizer: Words; readonly description: Words }

/** The venues of Riumajor, a town that does not exist, by slug. */
export const demoVenues = {
  'teatre-principal': {
    venue: say('Teatre Principal', 'Teatre Principal', 'Teatre Principal'),
    description: say(
      'Sala a la italiana de 1884, amb 412 butaques i llotges restaurades.',
      'A horseshoe theatre of 1884 with 412 seats and restored boxes.',
      'Sala a la italiana de 1884, con 412 butacas y palcos restaurados.',
    ),
    address: 'Rambla de Sant Jordi, 14',
    phone: '+34 972 555 101',
    website: 'https://teatreprincipal.riumajor.example/',
    picture: 'teatre-principal.png',
    geo_lat: 42.0421,
    geo_lng: 2.7613,
  },
  'biblioteca-carme-fontsere': {
    venue: say('Biblioteca Carme Fontserè', 'Carme Fontserè Library', 'Biblioteca Carme Fontserè'),
    description: say(
      'Tres plantes de llibres, sala d’estudi i un pati amb un lledoner centenari.',
      'Three floors of books, a study room and a courtyard with a hundred-year-old hackberry.',
      'Tres plantas de libros, sala de estudio y un patio con un almez centenario.',
    ),
    address: 'Carrer de la Llibertat, 27',
    phone: '+34 972 555 102',
    website: 'https://biblioteca.riumajor.example/',
    geo_lat: 42.0409,
    geo_lng: 2.7588,
  },
  'placa-major': {
    venue: say('Plaça Major', 'Plaça Major', 'Plaça Major'),
    description: say(
      'La plaça porxada del nucli antic, on hi ha mercat cada dissabte.',
      'The arcaded square of the old town, with a market every Saturday.',
      'La plaza porticada del casco antiguo, con mercado cada sábado.',
    ),
    address: 'Plaça Major, s/n',
    geo_lat: 42.0415,
    geo_lng: 2.7601,
  },
  'la-farinera': {
    venue: say('La Farinera, centre cultural', 'La Farinera arts centre', 'La Farinera, centro cultural'),
    description: say(
      'Antiga fàbrica de farina amb sala polivalent, bucs d’assaig i tallers.',
      'A former flour mill with a hall, rehearsal rooms and workshops.',
      'Antigua fábrica de harina con sala polivalente, locales de ensayo y talleres.',
    ),
    address: 'Carrer del Molí, 3',
    phone: '+34 972 555 104',
    website: 'https://lafarinera.riumajor.example/',
    picture: 'la-farinera.png',
  },
  'museu-del-riu': {
    venue: say('Museu del Riu', 'Museum of the River', 'Museo del Río'),
    description: say(
      'Mil anys de molins, barques i riuades, a l’antiga casa del bataner.',
      'A thousand years of mills, boats and floods, in the old fuller’s house.',
      'Mil años de molinos, barcas y riadas, en la antigua casa del batanero.',
    ),
    address: 'Passeig de la Riba, 40',
    phone: '+34 972 555 105',
    picture: 'museu-del-riu.png',
  },
  'cinema-modern': {
    venue: say('Cinema Modern', 'Cinema Modern', 'Cinema Modern'),
    description: say(
      'El darrer cinema de poble de la comarca, amb projector de 35 mm en marxa.',
      'The last small-town cinema of the district, its 35 mm projector still running.',
      'El último cine de pueblo de la comarca, con el proyector de 35 mm en marcha.',
    ),
    address: 'Carrer Nou, 58',
    phone: '+34 972 555 106',
  },
  'sant-pere': {
    venue: say('Església de Sant Pere', 'Church of Sant Pere', 'Iglesia de Sant Pere'),
    description: say(
      'Nau gòtica amb una acústica clara i un orgue de 1752.',
      'A Gothic nave with clear acoustics and an organ of 1752.',
      'Nave gótica con una acústica clara y un órgano de 1752.',
    ),
    address: 'Pujada de Sant Pere, 1',
  },
  'parc-de-la-riba': {
    venue: say('Parc de la Riba', 'Riverside Park', 'Parque de la Riba'),
    description: say(
      'Deu hectàrees de pollancres i prats vora l’aigua.',
      'Ten hectares of poplars and meadows by the water.',
      'Diez hectáreas de chopos y prados junto al agua.',
    ),
    address: 'Camí de la Riba, s/n',
    geo_lat: 42.0388,
    geo_lng: 2.7664,
  },
} as const satisfies Record<string, Venue>

export type VenueSlug = keyof typeof demoVenues

/** The organizers of the demo, by slug. */
export const demoOrganizers = {
  'area-de-cultura': {
    organizer: say('Àrea de Cultura de l’Ajuntament', 'Town Council, Culture', 'Área de Cultura del Ayuntamiento'),
    description: say(
      'Programa el Teatre Principal, La Farinera i les festes del poble.',
      'Runs the Teatre Principal, La Farinera and the town’s festivals.',
      'Programa el Teatre Principal, La Farinera y las fiestas del pueblo.',
    ),
    email: 'cultura@riumajor.example',
    phone: '+34 972 555 100',
    website: 'https://www.riumajor.example/cultura',
  },
  biblioteca: {
    organizer: say('Biblioteca Carme Fontserè', 'Carme Fontserè Library', 'Biblioteca Carme Fontserè'),
    description: say(
      'Llibres, contes i clubs de lectura.',
      'Books, stories and book clubs.',
      'Libros, cuentos y clubes de lectura.',
    ),
    email: 'biblioteca@riumajor.example',
    phone: '+34 972 555 102',
    website: 'https://biblioteca.riumajor.example/',
  },
  'ateneu-popular': {
    organizer: say('Ateneu Popular', 'Ateneu Popular', 'Ateneu Popular'),
    description: say(
      'Entitat de veïns, des de 1911.',
      'A neighbours’ association since 1911.',
      'Entidad vecinal desde 1911.',
    ),
    email: 'hola@ateneu.example',
  },
  'escola-de-musica': {
    organizer: say('Escola Municipal de Música', 'Municipal Music School', 'Escuela Municipal de Música'),
    description: say(
      'Tres-cents alumnes, una banda i dues corals.',
      'Three hundred students, a band and two choirs.',
      'Trescientos alumnos, una banda y dos corales.',
    ),
    email: 'musica@riumajor.example',
    phone: '+34 972 555 108',
  },
  cineclub: {
    organizer: say('Cineclub El Llanterner', 'El Llanterner Film Club', 'Cineclub El Llanterner'),
    description: say(
      'Cinema en versió original, cada dijous.',
      'Films in their own language, every Thursday.',
      'Cine en versión original, cada jueves.',
    ),
    email: 'sala@elllanterner.example',
    website: 'https://elllanterner.example/',
  },
  sardanistes: {
    organizer: say('Agrupació Sardanista', 'Sardana Dancers’ Society', 'Agrupación Sardanista'),
    description: say(
      'Ballades, cursos i un aplec cada any.',
      'Dances, courses and a yearly gathering.',
      'Bailes, cursos y un encuentro cada año.',
    ),
    email: 'rotllana@sardanes.example',
  },
  comerciants: {
    organizer: say('Unió de Comerciants', 'Shopkeepers’ Union', 'Unión de Comerciantes'),
    description: say(
      'Botigues i parades del nucli antic.',
      'Shops and stalls of the old town.',
      'Tiendas y puestos del casco antiguo.',
    ),
    email: 'comerc@riumajor.example',
    phone: '+34 972 555 110',
  },
} as const satisfies Record<string, Organizer>

export type OrganizerSlug = keyof typeof demoOrganizers

interface Category {
  readonly name: Words
  readonly parent?: string
}

/** The town's categories by slug, parents before children. */
export const demoCategories = {
  musica: { name: say('Música', 'Music', 'Música') },
  concerts: { name: say('Concerts', 'Concerts', 'Conciertos'), parent: 'musica' },
  jazz: { name: say('Jazz', 'Jazz', 'Jazz'), parent: 'concerts' },
  classica: { name: say('Clàssica', 'Classical', 'Clásica'), parent: 'concerts' },
  coral: { name: say('Coral', 'Choral', 'Coral'), parent: 'concerts' },
  escena: { name: say('Arts escèniques', 'Performing arts', 'Artes escénicas') },
  teatre: { name: say('Teatre', 'Theatre', 'Teatro'), parent: 'escena' },
  dansa: { name: say('Dansa', 'Dance', 'Danza'), parent: 'escena' },
  circ: { name: say('Circ', 'Circus', 'Circo'), parent: 'escena' },
  cinema: { name: say('Cinema', 'Film', 'Cine') },
  exposicions: { name: say('Exposicions', 'Exhibitions', 'Exposiciones') },
  familiar: { name: say('Activitats familiars', 'For families', 'En familia') },
  lletres: { name: say('Lletres', 'Books and words', 'Letras') },
  tallers: { name: say('Tallers i xerrades', 'Workshops and talks', 'Talleres y charlas') },
  tradicio: { name: say('Festes i cultura popular', 'Festivals and traditions', 'Fiestas y cultura popular') },
  fires: { name: say('Fires i mercats', 'Fairs and markets', 'Ferias y mercados') },
} as const satisfies Record<string, Category>

export type CategorySlug = keyof typeof demoCategories

/** The town's tags by slug. */
export const demoTags = {
  gratuit: { name: say('Gratuït', 'Free', 'Gratis') },
  'aire-lliure': { name: say('A l’aire lliure', 'Open air', 'Al aire libre') },
  inscripcio: { name: say('Cal inscripció', 'Booking required', 'Con inscripción') },
  accessible: { name: say('Accessible', 'Accessible', 'Accesible') },
  joves: { name: say('Joves', 'Young people', 'Jóvenes') },
  'a-partir-de-3': { name: say('A partir de 3 anys', 'Ages 3 and up', 'A partir de 3 años') },
  cicle: { name: say('Forma part d’un cicle', 'Part of a series', 'Forma parte de un ciclo') },
} as const satisfies Record<string, Pick<Category, 'name'>>

export type TagSlug = keyof typeof demoTags
