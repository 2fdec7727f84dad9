import { choice, choices, dateTime, integer } from './field.ts'
import { say } from './words.ts'

/** The states a post can be in. */
export const statuses = ['publish', 'draft', 'pending', 'private', 'future', 'trash'] as const

export type Status = (typeof statuses)[number]

/** What events, venues and organizers have in common. */
export const author = integer(say('Identificador de l’autor', 'Author ID', 'Identificador del autor'))
export const date = dateTime(say('Data de publicació', 'Publication date', 'Fecha de publicación'))
export const dateUtc = dateTime(
  say('Data de publicació en UTC', 'Publication date in UTC', 'Fecha de publicación en UTC'),
)
export const status = choice(say('Estat de publicació', 'Publication status', 'Estado de publicación'), statuses)
export const statusFilter = choices(
  say(
    'Només els registres amb aquests estats',
    'Only records with these statuses',
    'Solo los registros con estos estados',
  ),
  statuses,
)
