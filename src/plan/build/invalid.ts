import type { Failure } from '../../failure.ts'
import { escapeFormula } from '../../files/csv/cell-values.ts'
import type { FileRecord, Mistake } from '../../files/records/file-record.ts'
import type { Invalid } from '../plan.ts'

/** A record of a file that cannot be done, with what stood there. */
const invalid = (record: FileRecord, message: string, hint: string | undefined): Invalid => ({
  at: record.place,
  message,
  ...(hint !== undefined && { hint }),
  resource: record.resource,
  source: record.source ?? asSource(record),
})

/** A record with values that its fields cannot take. */
export function invalidValues(record: FileRecord): Invalid {
  const { mistakes } = record
  return invalid(
    record,
    mistakes.map(told).join('; '),
    mistakes.map(hintOf).find(hint => hint !== undefined),
  )
}

/** A record for which there is no step. */
export const invalidRecord = (record: FileRecord, { message, details }: Failure): Invalid =>
  invalid(record, message, details.hint)

const told = ({ column, expected, value }: Mistake): string =>
  `${column && `${column}: `}expected ${expected}, got "${value}"`

const hintOf = ({ suggestion, example }: Mistake): string | undefined =>
  suggestion ? `did you mean ${suggestion}?` : example && `for example: ${example}`

function asSource({ id, lang_code, action, origin, slug, values, cleared }: FileRecord): Record<string, unknown> {
  const head = Object.entries({ id, lang_code, action, origin, slug }).filter(([, value]) => value !== undefined)
  const texts = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? escapeFormula(value) : value,
  ])
  return {
    ...Object.fromEntries([...head, ...texts]),
    ...Object.fromEntries(cleared.map(name => [name, null])),
  }
}
