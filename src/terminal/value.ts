import type { Sink } from '../world.ts'
import { clean, cleanJson } from './clean.ts'

/** Prints any value: JSON over several lines, or YAML. */
export async function printValue(value: unknown, form: 'json' | 'yaml', stdout: Sink): Promise<void> {
  const isYaml = form === 'yaml'
  const text = isYaml ? (await import('./yaml.ts')).yamlText(value) : `${JSON.stringify(value, null, 2)}\n`
  const cleaned = isYaml ? clean : cleanJson
  await stdout.write(stdout.isTTY ? cleaned(text) : text)
}
