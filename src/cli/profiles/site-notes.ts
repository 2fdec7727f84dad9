import { appendFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ignoreErrors } from '../../base/attempt.ts'
import { makeFolder, readStoredFile, storedFileProblem } from '../../base/fs.ts'
import { once } from '../../base/memoize.ts'
import { isObject } from '../../base/text/json.ts'
import type { ImageSources, Pairing, PairingStore, UploadStore } from '../../client/client.ts'
import type { ResourceName } from '../../contract/field.ts'
import { languages } from '../../contract/languages.ts'
import type { World } from '../world.ts'
import {
  apiWritesFile,
  cacheFile,
  imageSourcesFile,
  refusalsFile,
  translationsFile,
  uploadsFile,
} from './user-folders.ts'

/**
 * What calctl has found out about sites and remembers for later commands: a file with a line for each note, for each kind of note. Later
 * notes count more than earlier ones. Notes are only appended, so that processes need not wait for one another. A file that cannot be read
 * counts as empty, and a note that cannot be written is left out.
 */
interface Notes<Note> {
  /** The latest last. */
  all(): Note[]
  add(note: Note): void
}

/** The notes about a site in a file, which is read once. */
function notesOn<Note extends object>(file: string, site: string, isWhole = (_: Note) => true): Notes<Note> {
  const all = once((): Note[] =>
    linesOf<Note & { site: string }>(file).filter(note => note.site === site && isWhole(note)),
  )
  return {
    all,
    add(note) {
      all().push(note)
      append(file, { site, ...note })
    },
  }
}

function linesOf<Line>(file: string): Line[] {
  const text = ignoreErrors(() => readStoredFile(file)) ?? ''
  return text.split('\n').flatMap(line => {
    // A line that another process is just writing is incomplete.
    const note: unknown = ignoreErrors(() => JSON.parse(line))
    return isObject(note) ? [note as Line] : []
  })
}

function append(file: string, note: object): void {
  // A pipe may never have a reader.
  if (storedFileProblem(file) !== undefined) return
  ignoreErrors(() => {
    makeFolder(dirname(file), 0o700)
    // An incomplete line of a process that was killed stays a line of its own.
    appendFileSync(file, `\n${JSON.stringify(note)}`, { mode: 0o600 })
  })
}

/** The addresses from which a site downloaded its images, in the folder for caches. */
export function imageSourcesIn(world: World, site: string): ImageSources {
  const notes = notesOn<{ id: number; source: string }>(imageSourcesFile(world), site)
  const sourceOf = (id: number) => notes.all().findLast(note => note.id === id)?.source
  return {
    sourceOf: async id => sourceOf(id),
    async remember(id, source) {
      if (sourceOf(id) !== source) notes.add({ id, source })
    },
  }
}

interface Upload {
  readonly sha256: string
  readonly id: number
  readonly url: string
  /** The address that the image was copied from. */
  readonly source?: string | undefined
}

/** The images that were uploaded to a site, by their contents. Without the note, the next command would upload them again. */
export function uploadsTo(world: World, site: string): UploadStore {
  const notes = notesOn<Upload>(uploadsFile(world), site)
  const find = (sha256: string) => notes.all().findLast(note => note.sha256 === sha256)
  const sourceOf = (id: number) => notes.all().findLast(note => note.id === id && note.source !== undefined)?.source
  return {
    find: async sha256 => find(sha256),
    sourceOf: async id => sourceOf(id),
    async remember(sha256, { id, url }, source) {
      if (find(sha256)?.id === id && (source === undefined || sourceOf(id) === source)) return
      notes.add({ sha256, id, url, source })
    },
  }
}

/** Records of a site that are translations of one another, by their IDs. */
interface PairingNote {
  readonly resource: ResourceName
  readonly ids: Pairing
}

/** Checked because people can edit this file. */
const isPairing = ({ ids }: PairingNote): boolean =>
  isObject(ids) && Object.values(ids).every(id => Number.isSafeInteger(id))

/** The translations of a site's records, in the folder for data; the latest first, because these count if an ID is in several. */
export function pairingsOf(world: World, site: string): PairingStore {
  const notes = notesOn<PairingNote>(translationsFile(world), site, isPairing)
  const pairings = (resource: ResourceName) =>
    notes.all().flatMap(note => (note.resource === resource ? [note.ids] : []))
  return {
    of: async resource => pairings(resource).toReversed(),
    async remember(resource, ids) {
      const isKnown = (known: Pairing) =>
        languages.every(language => ids[language] === undefined || known[language] === ids[language])
      if (Object.keys(ids).length < 2 || pairings(resource).some(isKnown)) return
      notes.add({ resource, ids })
    },
  }
}

const day = 86_400_000

/** Notes that a site has no `wp/v2`. The key is the calendar and the user, because a site can close these routes to some users. */
const wordPressNotes = (world: World, key: string) => notesOn<{ noWordPress?: string }>(cacheFile(world), key)

/** Whether a site had no `wp/v2` less than a day ago. */
export function lacksWordPress(world: World, key: string): boolean {
  const found = wordPressNotes(world, key).all().at(-1)?.noWordPress
  const age = world.now().getTime() - Date.parse(found ?? '')
  return age >= 0 && age < day
}

/** Remembers that a site has no `wp/v2`. */
export const rememberNoWordPress = (world: World, key: string): void =>
  wordPressNotes(world, key).add({ noWordPress: world.now().toISOString() })

/** Forgets that a site has no `wp/v2`, so that it is asked again. */
export function forgetNoWordPress(world: World, key: string): void {
  const notes = wordPressNotes(world, key)
  if (notes.all().at(-1)?.noWordPress !== undefined) notes.add({})
}

/** The plans for a calendar that a person refused, by the checksum of what they would do, and when. */
export const refusalsAt = (world: World, site: string): Notes<{ plan: string; at: string }> =>
  notesOn(refusalsFile(world), site)

/** A request of `calctl api` that may have changed a calendar: `POST events`. */
export interface ApiWrite {
  readonly request: string
  /** The `order` of the latest run before it. */
  readonly after: string
}

/** The latest request of `calctl api` that may have changed a calendar. */
export const lastApiWrite = (world: World, calendar: string): ApiWrite | undefined =>
  notesOn<ApiWrite>(apiWritesFile(world), calendar).all().at(-1)

export const rememberApiWrite = (world: World, calendar: string, write: ApiWrite): void =>
  notesOn<ApiWrite>(apiWritesFile(world), calendar).add(write)
