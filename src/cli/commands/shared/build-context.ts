import type { BuildContext } from '../../../changes/plan/making/context.ts'
import type { App } from '../../app.ts'
import { type CareOptions, nameCare } from './confirmation.ts'

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
