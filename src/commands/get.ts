import { addFieldOption, typedValues } from './shared/field-options.ts'
import { declareOutput, readRecordsOutput } from './shared/output-forms.ts'
import { readEach, readRef, refsArgument, unlocking, type Verb, verbCommand } from './shared/verb-command.ts'

/** calctl <resource> get <ref...>: one record, or several. */
export const get: Verb = (parent, resource, app) => {
  const command = refsArgument(verbCommand(parent, resource, 'get', `Show one or more ${resource.name}`), resource)
  for (const [name, field] of unlocking(resource)) addFieldOption(command, name, field)
  declareOutput(command, readRecordsOutput(resource)).action(async (texts: string[], options: { bySlug?: true }) => {
    const refs = texts.map(text => readRef(resource, text, options.bySlug))
    const values = await typedValues(unlocking(resource), options)
    const client = await app.client()
    await readEach(app, resource, refs, ref => client.get(resource, ref, values))
  })
}
