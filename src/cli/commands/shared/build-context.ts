import { phrase } from '../../../base/words/phrase.ts'
import type { BuildContext } from '../../../changes/plan/making/context.ts'
import type { NameCare } from '../../../client/name-lookup.ts'
import type { Resource } from '../../../contract/resource.ts'
import type { ColumnMap } from '../../../files/csv/column-map.ts'
import type { App } from '../../app.ts'
import { isYes } from './confirmation.ts'

/**
 * The context of a plan. The zone of the site is asked for at once, unless the records were named one by one: few of these depend on it.
 */
export async function buildContext(app: App, care: CareOptions = {}, isNamed = false): Promise<BuildContext> {
  const client = await app.client({ toPlan: true })
  const own = isNamed ? undefined : await client.timezone()
  return {
    client,
    now: app.world.now(),
    zone: own ?? app.world.timeZone(),
    ...(isNamed && { siteZone: client.timezone }),
    notice: app.notice,
    ...(!care.allowSimilar && { care: nameCare(app, care.columns?.names) }),
  }
}

export interface CareOptions {
  readonly allowSimilar?: true
  /** Has and gets the answers about names. */
  readonly columns?: ColumnMap
}

/** Asks at a terminal which existing name is meant by one that resembles it; elsewhere, such names are refused. */
export function nameCare(app: App, answers: ColumnMap['names'] = new Map()): NameCare {
  const keyOf = ({ name: resource }: Resource, name: string) => `${resource} ${name}`
  const answered: NameCare['answered'] = (resource, name) => answers.get(keyOf(resource, name))
  if (!app.canAsk) return { answered }
  return {
    answered,
    async ask(resource, name, names) {
      const key = keyOf(resource, name)
      const meant = answers.has(key) ? undefined : await askWhich(app, resource.singular, name, names)
      if (meant !== undefined) answers.set(key, meant)
      return meant
    },
    async creates(resource, name, isAllowed) {
      const question = phrase('No {singular} is called "{name}". Create it?', { singular: resource.singular, name })
      const key = keyOf(resource, name)
      const isNew = isAllowed || (!answers.has(key) && (await isYes(app, question)))
      answers.set(key, isNew ? null : undefined)
      return isNew
    },
  }
}

async function askWhich(
  app: App,
  singular: string,
  name: string,
  names: readonly string[],
): Promise<string | undefined> {
  const [existing = '', ...others] = names
  if (others.length === 0) {
    const question = phrase('No {singular} is called "{name}". Use "{existing}"?', { singular, name, existing })
    return (await isYes(app, question)) ? existing : undefined
  }
  const { askOneFrom } = await import('../../terminal/prompts.ts')
  const none = { name: phrase('None of these'), value: undefined }
  const choices = [...names.map(one => ({ name: one, value: one })), none]
  const question = phrase('No {singular} is called "{name}". Which one is meant?', { singular, name })
  return askOneFrom<string | undefined>(app.world, question, choices)
}
