import type { Values } from '../client/client.ts'
import { resourceNamed } from '../contract/contract.ts'
import { hiddenSecret } from '../contract/field.ts'
import type { Step } from './plan.ts'

/** A step as it is printed: with marks in place of passwords. */
export function withHiddenSecrets(step: Step): Step {
  const { fields } = resourceNamed(step.resource)
  const hidden = (values: Values): Values =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        value && (fields[name]?.secret || fields[name]?.queryOnly) ? hiddenSecret : value,
      ]),
    )
  return { ...step, values: hidden(step.values) }
}
