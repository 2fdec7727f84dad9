import { phrase } from '../../base/words/phrase.ts'
import { recordInFull } from '../../files/print/record-names.ts'
import type { Severity } from './rule.ts'
import type { Finding } from './run-rules.ts'

/** A finding as data, the same in JSON, tables and CSV. */
export const findingRow = ({ severity, rule, resource, record, field, message, values, suggestion }: Finding) => ({
  severity,
  rule: rule.id,
  resource: resource.name,
  id: record.id,
  lang_code: record.lang_code ?? null,
  title: record.name,
  start_date: record.start ?? null,
  field: field ?? null,
  message,
  fixable: values !== undefined,
  suggestion: suggestion ?? null,
  url: record.url || null,
})

/** How sentences name the record of a finding. */
function findingName({ resource, record }: Pick<Finding, 'resource' | 'record'>, year: string, language: boolean) {
  const { id, lang_code, name, start, isWholeDay, venueName } = record
  const named = {
    id,
    [resource.title]: name,
    ...(start !== undefined && { start_date: start, all_day: isWholeDay }),
    ...(venueName && { venue: { venue: venueName } }),
  }
  return recordInFull(resource, { record: named, year, details: [id, language ? lang_code : undefined] })
}

export interface TextOptions {
  /** The year that dates leave out. */
  readonly year: string
  /** Whether records are named with their language, because there are several. */
  readonly hasLanguages: boolean
}

/** Findings as lines for people: each record once, and below it what is wrong and what to type. */
export async function* findingLines(findings: AsyncIterable<Finding>, options: TextOptions): AsyncGenerator<string> {
  let last = ''
  for await (const finding of findings) {
    const { severity, rule, record, resource, message, values, suggestion } = finding
    const named = [resource.name, record.id, record.lang_code].join(' ')
    if (named !== last) yield `${findingName(finding, options.year, options.hasLanguages)}\n`
    last = named
    const fixable = values === undefined ? '' : ` ${phrase('(fixable)')}`
    yield `  ${severityLabel(severity)}: ${message} [${rule.id}]${fixable}\n`
    if (suggestion !== undefined) yield `    ${suggestion}\n`
  }
}

function severityLabel(severity: Severity): string {
  if (severity === 'error') return phrase('error')
  return severity === 'warning' ? phrase('warning') : phrase('info')
}
