import { Failure } from '../failure.ts'
import { isSource, keptSource } from './secrets.ts'

/** Reads `X-Key: env:NAME`, in one occurrence of `--header` or in several: where each header's value is, by its name. */
export function readHeaders(texts: readonly string[], folder: string): Record<string, string> {
  const entries = texts.map((text): [string, string] => {
    const [, name, source] = /^([\w-]+):\s*(.+)$/.exec(text) ?? []
    if (name === undefined || source === undefined)
      throw new Failure('usage', '--header: expected a name and where its value is', {
        hint: "for example: --header 'X-Key: env:SITE_KEY'",
      })
    return [name, checkedSource('--header', source, folder)]
  })
  return Object.fromEntries(entries)
}

/** Where a secret is. What is wrong is not repeated: it may be the secret itself. */
export function checkedSource(option: string, source: string, folder: string): string {
  if (isSource(source)) return keptSource(source, folder)
  throw new Failure('usage', `${option}: expected where the secret is, not the secret`, {
    hint: 'env:NAME, command:… (its first output line) or file:… (with mode 0600)',
  })
}
