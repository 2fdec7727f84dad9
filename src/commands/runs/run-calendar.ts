import type { App } from '../../app.ts'
import type { Client } from '../../client/client.ts'
import { Failure } from '../../failure.ts'
import { damageNotice, type JournaledRun } from '../../runs/journal-reader.ts'

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
      hint: isSame
        ? languageHint(language)
        : `add ${await (await import('./connection-flags.ts')).connectionFlags(world, plan)}`,
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
