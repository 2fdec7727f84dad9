import type { ResourceName } from '../contract/field.ts'
import type { Language } from '../contract/languages.ts'
import type { World } from '../world.ts'
import { addNote, notesOf } from './site-notes.ts'
import { pairingsFile } from './user-folders.ts'

/** Records of one thing, by their language. */
type Pairing = Readonly<Partial<Record<Language, number>>>

interface PairingNote {
  readonly site: string
  readonly resource: ResourceName
  readonly records: Pairing
}

/** Which records of a calendar are translations of one another, where its slugs do not say it. */
export interface Pairings {
  of(resource: ResourceName): readonly Pairing[]
  remember(resource: ResourceName, records: Pairing): void
}

/** Remembers pairings next to the journals of runs, a line for each. Without the file, sets are recognized by what they have in common. */
export function pairingsOf(world: World, site: string): Pairings {
  const file = pairingsFile(world)
  let known: PairingNote[] | undefined
  const read = () => {
    known ??= notesOf<PairingNote>(file, site)
    return known
  }
  return {
    of: resource => read().flatMap(note => (note.resource === resource ? [note.records] : [])),
    remember(resource, records) {
      const note = { site, resource, records }
      read().push(note)
      addNote(file, note)
    },
  }
}
