import type { App } from '../../app.ts'
import type { NameCare } from '../../client/created-names.ts'

export interface CareOptions {
  readonly allowSimilar?: true
}

/** Asks at a terminal whether a new name that is close to an existing one means that; elsewhere, such names are refused. */
export function nameCare(app: App): NameCare {
  if (!app.canAsk) return {}
  return {
    async ask({ singular }, name, existing) {
      const { askYesNo } = await import('../../terminal/prompts.ts')
      return askYesNo(app.world, `No ${singular} is called "${name}". Use "${existing}"?`)
    },
  }
}
