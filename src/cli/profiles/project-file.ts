import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Project, readProjectFile } from './project-settings.ts'

/** The path of `.calctl.json` in this folder, or in the nearest folder above that has one. */
export function findProjectFile(folder: string): string | undefined {
  const path = join(folder, '.calctl.json')
  if (existsSync(path)) return path
  const above = dirname(folder)
  return above === folder ? undefined : findProjectFile(above)
}

/** Reads the settings of this folder's project; none without a file. */
export function readProject(folder: string): Project {
  const path = findProjectFile(folder)
  return path === undefined ? {} : readProjectFile(path)
}
