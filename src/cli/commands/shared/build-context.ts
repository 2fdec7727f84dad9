import { phrase } from '../../../base/words/phrase.ts'
import type { BuildContext } from '../../../changes/plan/making/context.ts'
import type { NameCare } from '../../../client/name-lookup.ts'
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
    ...(!care.allowSimilar && { care: nameCare(app) }),
  }
}

export interface CareOptions {
  readonly allowSimilar?: true
}

/** Asks at a terminal which existing name is meant by one that resembles it; elsewhere, such names are refused. */
export function nameCare(app: App): NameCare {
  if (!app.canAsk) return {}
  return {
    async ask({ singular }, name, names) {
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
    },
  }
}
