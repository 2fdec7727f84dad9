import { say, type Words } from '../../contract/words.ts'

interface Category {
  readonly name: Words
  readonly parent?: string
}

/** The town's categories by slug, parents before children. */
export const categories = {
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

export type CategorySlug = keyof typeof categories

/** The town's tags by slug. */
export const tags = {
  gratuit: { name: say('Gratuït', 'Free', 'Gratis') },
  'aire-lliure': { name: say('A l’aire lliure', 'Open air', 'Al aire libre') },
  inscripcio: { name: say('Cal inscripció', 'Booking required', 'Con inscripción') },
  accessible: { name: say('Accessible', 'Accessible', 'Accesible') },
  joves: { name: say('Joves', 'Young people', 'Jóvenes') },
  'a-partir-de-3': { name: say('A partir de 3 anys', 'Ages 3 and up', 'A partir de 3 años') },
  cicle: { name: say('Forma part d’un cicle', 'Part of a series', 'Forma parte de un ciclo') },
} as const satisfies Record<string, Pick<Category, 'name'>>

export type TagSlug = keyof typeof tags
