import type { Severity } from './rule.ts'
import type { Finding } from './run-rules.ts'

const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' }

/** A finding as GitHub's workflows show it beside a change: `::warning title=mojibake::…`, a line whatever the text has in it. */
export function annotation({ severity, rule, message, suggestion }: Finding, name: string): string {
  const text = [`${name}: ${message}`, ...(suggestion ? [suggestion] : [])].join('\n')
  return `::${commands[severity]} title=${escapedProperty(`calctl ${rule.id}`)}::${escaped(text)}\n`
}

const escaped = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapedProperty = (text: string): string => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
