import type { Result, ToolComponent } from 'sarif'
import { phrase } from '../../base/words/phrase.ts'
import type { Calendar } from '../../client/calendar.ts'
import type { Rule, Severity } from './rule.ts'
import type { Finding } from './run-rules.ts'

const levels: Readonly<Record<Severity, Result.level>> = { error: 'error', warning: 'warning', info: 'note' }

const schema = 'https://json.schemastore.org/sarif-2.1.0.json'

export interface SarifOptions {
  readonly rules: readonly Rule[]
  readonly version: string
  readonly calendar: Calendar
}

/**
 * Findings as SARIF 2.1.0, which GitHub and editors read; written one by one. Such a file is uploaded, so it leaves out the path of a
 * calendar file, which names people.
 */
export async function* sarifText(
  findings: AsyncIterable<Finding>,
  nameOf: (finding: Finding) => string,
  { rules, version, calendar }: SarifOptions,
): AsyncGenerator<string> {
  const driver: ToolComponent = {
    name: 'calctl',
    version,
    rules: rules.map(({ id, finds, why, remedy }) => ({
      id,
      shortDescription: { text: finds() },
      fullDescription: { text: why() },
      help: { text: remedy() },
    })),
  }
  const head = { $schema: schema, version: '2.1.0' }
  yield `${JSON.stringify(head).slice(0, -1)},"runs":[{"tool":${JSON.stringify({ driver })},"columnKind":"utf16CodeUnits","results":[`
  let isFirst = true
  for await (const finding of findings) {
    yield `${isFirst ? '' : ','}\n${JSON.stringify(resultOf(finding, nameOf(finding), rules, calendar))}`
    isFirst = false
  }
  yield '\n]}]}\n'
}

function resultOf(finding: Finding, name: string, rules: readonly Rule[], { id, flags }: Calendar): Result {
  const { severity, rule, resource, record, message, suggestion } = finding
  const isOnWeb = /^https?:/.test(id)
  const command = suggestion?.replace(isOnWeb ? '' : (flags ?? ''), '')
  const path = `${resource.name}/${record.id}`
  return {
    ruleId: rule.id,
    ruleIndex: rules.indexOf(rule),
    level: levels[severity],
    message: { text: [`${name}: ${message}`, ...(command ? [phrase('Type: {command}', { command })] : [])].join('\n') },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: addressOf(record.url, isOnWeb ? id : '', path) } },
        logicalLocations: [{ name: record.name, fullyQualifiedName: path, kind: 'object' }],
      },
    ],
    partialFingerprints: { 'calctl/v1': [rule.id, path, record.lang_code ?? '', finding.field ?? ''].join(' ') },
  }
}

/** The page of a record; for one without, its place in the API. Never anything but a URI. */
const addressOf = (page: string | undefined, api: string, path: string): string => {
  if (page && /^https?:/.test(page) && URL.canParse(page)) return new URL(page).href
  return URL.canParse(api) ? `${api.replace(/\/+$/, '')}/${path}` : path
}
