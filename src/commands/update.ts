import { Failure } from '../failure.ts'
import { dataOptions, readValues } from './data.ts'
import { forEachRef, readRef, refsArgument, type Verb, verbCommand } from './verb.ts'

/** calctl <resource> update <ref...>: the given fields, the same for every record named. */
export const update: Verb = (parent, resource, app) => {
  const fields = Object.entries(resource.fields)
  const command = refsArgument(verbCommand(parent, resource, 'update', `change fields of ${resource.name}`), resource)
  dataOptions(command, fields).option('--clear <fields>', 'make these fields empty: description,website')
  command.action(async (texts: string[], options: Record<string, unknown> & { bySlug?: true }) => {
    const refs = texts.map(text => readRef(resource, text, options.bySlug))
    const values = await readValues(app, resource, fields, options)
    if (Object.keys(values).every(name => resource.fields[name]?.itemOnly))
      throw new Failure('usage', 'nothing to change', {
        hint: `name a field, for example: ${resource.examples.update?.[0] ?? 'calctl --help'}`,
      })
    const client = await app.writer()
    await forEachRef(app, resource, refs, ref => client.update(resource, ref, values))
  })
}
