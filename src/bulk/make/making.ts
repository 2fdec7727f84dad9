import type { Client } from '../../client/client.ts'
import { originOf } from '../origin.ts'
import type { Plan } from '../plan.ts'

/** What stands around the making of a plan. */
export interface Making {
  readonly client: Client
  readonly now: Date
  /** The viewer's time zone. */
  readonly zone: string
  readonly notice: (text: string) => Promise<void>
}

/** A plan for a client's site in its language. */
export const planOf = (
  { client, now }: Pick<Making, 'client' | 'now'>,
  made: Pick<Plan, 'steps' | 'same' | 'invalid' | 'among' | 'notes'>,
): Plan => ({
  calctl: 1,
  origin: originOf(client),
  ...(client.language && { language: client.language }),
  made: now.toISOString(),
  ...made,
})
