/** Any value as text: JSON over several lines, or YAML. */
export async function renderValue(value: unknown, form: 'json' | 'yaml'): Promise<string> {
  if (form === 'json') return `${JSON.stringify(value, null, 2)}\n`
  const { yamlText } = await import('./yaml.ts')
  return yamlText(value)
}
