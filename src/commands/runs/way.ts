import { pathToFileURL } from 'node:url'
import { originOf } from '../../client/origin.ts'
import { documentedNamespace } from '../../contract/contract.ts'
import { languages } from '../../contract/words.ts'
import type { Plan } from '../../plan/plan.ts'
import { fileOf } from '../../profiles/base-url.ts'
import { readConfig } from '../../profiles/config.ts'
import { type Profile, profileNamed, profileNames } from '../../profiles/profile.ts'
import { dataFile } from '../../profiles/user-folders.ts'
import type { World } from '../../world.ts'

type Place = Pick<Plan, 'origin' | 'language'>

/** The options that lead to where a plan was carried out: a profile, as long as there is one, or its address. */
export async function wayTo(world: World, { origin, language }: Place): Promise<string> {
  const config = await readConfig(world)
  const spoken = language ? ` --lang ${language}` : ''
  for (const name of profileNames(config)) {
    const profile = profileNamed(config, name) ?? {}
    if (originAt(world, profile, profile.baseUrl) === origin) return `--profile ${name}${spoken}`
    const other = languages.find(one => {
      const baseUrl = profile.baseUrls?.[one]
      return baseUrl !== undefined && originAt(world, profile, baseUrl) === origin
    })
    if (other) return `--profile ${name} --lang ${other}`
  }
  return `${addressOf(origin)}${spoken}`
}

function originAt(world: World, { namespace = documentedNamespace }: Profile, baseUrl: string | undefined): string {
  const file = baseUrl === undefined ? dataFile(world) : fileOf(baseUrl)
  return file === undefined ? originOf({ site: baseUrl ?? '', namespace }) : `${calendarFile}${file}`
}

const calendarFile = 'the calendar file '

/** Wherever an address is parted, base URL and namespace come to the same. */
function addressOf(origin: string): string {
  if (origin.startsWith(calendarFile)) return `--base-url ${pathToFileURL(origin.slice(calendarFile.length)).href}`
  if (origin.endsWith(`/${documentedNamespace}`))
    return `--base-url ${origin.slice(0, -documentedNamespace.length - 1)}`
  const [, baseUrl, namespace] = /^(https?:\/\/[^/]+(?:\/.*?)??)\/([^/]+(?:\/[^/]+){0,2})$/.exec(origin) ?? []
  return `--base-url ${baseUrl} --namespace ${namespace}`
}
