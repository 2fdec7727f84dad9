import { Failure } from '../../../base/failure.ts'
import { shellWord } from '../../../base/text/escaping.ts'
import type { Plan } from '../../../changes/plan/plan.ts'
import { damageNotice, type JournaledRun } from '../../../changes/run/journal-reader.ts'
import { calendarAt, calendarInFile } from '../../../client/calendar.ts'
import type { Client } from '../../../client/client.ts'
import { fileOf } from '../../../client/http/request.ts'
import { documentedNamespace } from '../../../contract/contract.ts'
import { languages } from '../../../contract/languages.ts'
import type { App } from '../../app.ts'
import type { Profile } from '../../globals.ts'
import { profileNamed, profileNames, readConfig } from '../../profiles/config.ts'
import { dataFile } from '../../profiles/user-folders.ts'
import type { World } from '../../world.ts'

/**
 * Throws `conflict` for a run of another calendar, or of another language than --lang names: IDs are valid in one calendar only, and
 * records are found in one language only.
 */
export async function checkCalendar({ world }: App, { run, plan }: JournaledRun, client: Client): Promise<void> {
  const { calendar, language } = plan
  const isSame = calendar.id === client.calendar.id
  if (isSame && language === client.language) return
  const describe = (label: string, language?: string) => (language ? `${label} in ${language}` : label)
  throw new Failure(
    'conflict',
    `run ${run} was applied to ${describe(calendar.label, language)}, not to ${describe(client.calendar.label, client.language)}`,
    {
      hint: isSame ? languageHint(language) : `add ${await connectionFlags(world, plan)}`,
    },
  )
}

const languageHint = (language: string | undefined): string =>
  language ? `add --lang ${language}` : 'leave out --lang and unset CALCTL_LANG'

/** Says which line of a journal cannot be read. */
export async function noticeDamage(app: App, journal: JournaledRun): Promise<void> {
  const warning = damageNotice(journal)
  if (warning) await app.notice(warning)
}

/** The options that connect to the calendar of a plan in its language: a profile if one has it, otherwise its base URL. */
export async function connectionFlags(
  world: World,
  { calendar: { id }, language }: Pick<Plan, 'calendar' | 'language'>,
): Promise<string> {
  const config = await readConfig(world)
  const languageFlag = language ? ` --lang ${language}` : ''
  for (const name of profileNames(config)) {
    const profile = profileNamed(config, name) ?? {}
    if (calendarIdOf(world, profile, profile.baseUrl) === id) return `--profile ${name}${languageFlag}`
    const other = languages.find(one => {
      const baseUrl = profile.baseUrls?.[one]
      return baseUrl !== undefined && calendarIdOf(world, profile, baseUrl) === id
    })
    if (other) return `--profile ${name} --lang ${other}`
  }
  return `${baseUrlFlags(id)}${languageFlag}`
}

function calendarIdOf(world: World, { namespace = documentedNamespace }: Profile, baseUrl: string | undefined): string {
  const file = baseUrl === undefined ? dataFile(world) : fileOf(baseUrl)
  return (file === undefined ? calendarAt(baseUrl ?? '', namespace) : calendarInFile(file)).id
}

/** A calendar's ID is its base URL and namespace in one; requests go to the same URLs wherever it is split. */
function baseUrlFlags(id: string): string {
  if (id === 'demo:') return '--demo'
  if (id.startsWith('file:')) return `--base-url ${shellWord(id)}`
  if (id.endsWith(`/${documentedNamespace}`))
    return `--base-url ${shellWord(id.slice(0, -documentedNamespace.length - 1))}`
  const [, baseUrl = '', namespace] = /^(https?:\/\/[^/]+(?:\/.*?)??)\/([^/]+(?:\/[^/]+){0,2})$/.exec(id) ?? []
  return `--base-url ${shellWord(baseUrl)} --namespace ${namespace}`
}
