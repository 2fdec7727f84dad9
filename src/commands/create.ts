import type { App } from '../app.ts'
import type { Values } from '../client/client.ts'
import { creatable, type Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { dataOptions, readValues } from './data.ts'
import { flagName } from './options.ts'
import { type Verb, verbCommand } from './verb.ts'

/** calctl <resource> create: asks for required fields that are missing where somebody can be asked. */
export const create: Verb = (parent, resource, app) => {
  const fields = creatable(resource)
  const command = dataOptions(verbCommand(parent, resource, 'create', `a new ${resource.singular}`), fields)
  command.action(async (options: Record<string, unknown>) => {
    const values = await completed(app, resource, await readValues(app, resource, fields, options))
    const client = await app.writer()
    await app.print(resource, await client.create(resource, values))
  })
}

async function completed(app: App, resource: Resource, values: Values): Promise<Values> {
  const missing = resource.required.filter(name => values[name] === undefined)
  if (missing.length === 0) return values
  if (!app.canAsk)
    throw new Failure('usage', `missing ${missing.map(flagName).join(', ')}`, {
      hint: `for example: ${resource.examples.create?.[0] ?? `calctl ${resource.name} create --help`}`,
    })
  const { askField } = await import('../terminal/prompts.ts')
  const answers: Record<string, unknown> = {}
  for (const name of missing) {
    const field = resource.fields[name]
    if (field) answers[name] = await askField(app.world, field)
  }
  return { ...values, ...answers }
}
