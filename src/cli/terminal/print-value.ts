import { projectionOf } from '../../files/print/projection.ts'
import type { Sink } from '../world.ts'

interface ValueOptions {
  readonly output: 'json' | 'ndjson' | 'yaml'
  readonly fields?: readonly string[] | undefined
  readonly stdout: Sink
}

/** Prints a value that is not a record: as indented JSON, NDJSON or YAML. */
export async function printValue(value: unknown, options: ValueOptions): Promise<void> {
  const { output, fields, stdout } = options
  if (fields) (await import('./unknown-fields.ts')).checkValueFields(value, fields)
  const text = await valueText(projectionOf(fields)(value), output)
  await stdout.write(text, output === 'yaml' ? 'text' : 'json')
}

async function valueText(value: unknown, output: ValueOptions['output']): Promise<string> {
  if (output === 'yaml') return (await import('../../files/print/yaml.ts')).yamlText(value)
  if (output === 'json') return `${JSON.stringify(value, null, 2)}\n`
  return [value]
    .flat()
    .map(item => `${JSON.stringify(item)}\n`)
    .join('')
}
