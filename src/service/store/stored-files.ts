import { existsSync, promises } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../fs.ts'
import { Refusal } from '../refusal.ts'
import { flushFolder, isSystemError } from './disk.ts'
import type { StoredFiles } from './store.ts'

/** The folder of the files that were uploaded to a calendar, next to its calendar file. */
export const uploadFolderOf = (calendarFile: string): string => `${calendarFile}.uploads`

/** The files of a calendar in memory, before those of another one. */
export function filesInMemory(others?: StoredFiles): StoredFiles {
  const files = new Map<string, Uint8Array>()
  return {
    read: async path => files.get(path) ?? others?.read(path),
    async add(path, bytes) {
      files.set(path, bytes)
    },
    async remove(path) {
      files.delete(path)
    },
    has: path => files.has(path) || others?.has(path) === true,
  }
}

/** The files in a folder, which is created for the first one. */
export function filesInFolder(folder: string): StoredFiles {
  return {
    async read(path) {
      if (!isOwnPath(path)) return undefined
      try {
        return await promises.readFile(join(folder, path))
      } catch {
        return undefined
      }
    },
    async add(path, bytes) {
      const file = join(folder, path)
      try {
        makeFolder(dirname(file))
        const handle = await promises.open(file, 'wx')
        try {
          await handle.writeFile(bytes)
          await handle.sync()
        } finally {
          await handle.close()
        }
        await flushFolder(dirname(file))
      } catch (error) {
        if (!isSystemError(error)) throw error
        throw new Refusal(507, 'rest_upload_unknown_error', `Could not write the file: ${error.message}.`)
      }
    },
    async remove(path) {
      if (isOwnPath(path)) await promises.rm(join(folder, path), { force: true })
    },
    has: path => existsSync(join(folder, path)),
  }
}

/** A path as `add` gets them: people may edit a calendar file, and it leads to nothing outside the folder. */
const isOwnPath = (path: string): boolean => /^\d{4}\/\d\d\/[\w%-][\w%.-]*$/.test(path)
