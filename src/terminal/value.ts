import { escapeControls, sanitize } from '../text/sanitize.ts'
import type { Sink } from '../world.ts'

/** Prints any value: JSON over several lines, NDJSON, or YAML. */
export async function printValue(value: unknown, form: 'json' | 'ndjson' | 'yaml', stdout: Sink): Promise<void> {
  const text = await textOf(value, form)
  const cleaned = form === 'yaml' ? sanitize : escapeControls
  await stdout.write(stdout.isTTY ? cleaned(text) : text)
}

async function textOf(value: unknown, form: 'json' | 'ndjson' | 'yaml'): Promise<string> {
  if (form === 'yaml') return (await import('./yaml.ts')).yamlText(value)
  if (form === 'json') return `${JSON.stringify(value, null, 2)}\n`
  return [value]
    .flat()
    .map(item => `${JSON.stringify(item)}\n`)
    .join('')
}
