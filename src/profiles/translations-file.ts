import type { Pairing, PairingStore } from '../client/client.ts'
import type { ResourceName } from '../contract/field.ts'
import { languages } from '../contract/languages.ts'
import { isObject } from '../text/json.ts'
import type { World } from '../world.ts'
import { addNote, notesOf } from './site-notes.ts'
import { translationsFile } from './user-folders.ts'

/** Records of a site that are translations of one another, by their IDs. */
interface PairingNote {
  readonly site: string
  readonly resource: ResourceName
  readonly ids: Pairing
}

/**
 * Remembers translations in the folder for data: a line for each set. Later ones come first, because they count where an ID is in
 * several.
 */
export function pairingsOf(world: World, site: string): PairingStore {
  const file = translationsFile(world)
  let notes: PairingNote[] | undefined
  const read = () => {
    notes ??= notesOf<PairingNote>(file, site).filter(isWhole).toReversed()
    return notes
  }
  return {
    of: async resource => read().flatMap(note => (note.resource === resource ? [note.ids] : [])),
    async remember(resource, ids) {
      const isKnown = ({ resource: of, ids: known }: PairingNote) =>
        of === resource && languages.every(language => ids[language] === undefined || known[language] === ids[language])
      if (Object.keys(ids).length < 2 || read().some(isKnown)) return
      read().unshift({ site, resource, ids })
      addNote(file, { site, resource, ids } as PairingNote)
    },
  }
}

/** People can write to this file. */
const isWhole = ({ ids }: PairingNote): boolean =>
  isObject(ids) && Object.values(ids).every(id => Number.isSafeInteger(id))
