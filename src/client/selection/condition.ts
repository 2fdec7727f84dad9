import { Failure, forExample, usage } from '../../base/failure.ts'
import { listOf } from '../../base/text/sentence-parts.ts'
import { nearest } from '../../base/text/similarity.ts'
import { readDate, type WallSpan } from '../../base/time/dates.ts'
import { readSpan } from '../../base/time/typed-dates.ts'
import { phrase } from '../../base/words/phrase.ts'
import { answerSchemas } from '../../contract/answer-schemas.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { eventStatusNamed } from '../../contract/event-status.ts'
import type { ResourceName, ValueShape } from '../../contract/field.ts'
import { readBoolean } from '../../contract/kinds/number-kinds.ts'
import { choiceNamed } from '../../contract/post-status.ts'
import { readPrice } from '../../contract/price.ts'
import { readingMistake } from '../../contract/reading.ts'
import type { Resource } from '../../contract/resource.ts'
import { recordsNoun } from '../../contract/resource-words.ts'

/** How a field is compared. */
type FieldType = 'text' | 'number' | 'boolean' | 'date' | 'cost' | 'image' | 'link' | 'any'

export type Operator = '=' | '!=' | '~' | '!~' | '>' | '>=' | '<' | '<='

/** A condition on a field: `image=none`, `cost>20`, `title~jazz`, `venue.city=Girona`. */
export interface Condition {
  /** Where it was given, for messages: `--where "cost>20"`. */
  readonly label: string
  readonly path: string
  /** The resources whose records have the field. */
  readonly resources: ReadonlySet<ResourceName>
  readonly type: FieldType
  /** The resource that a field links to. */
  readonly of?: ResourceName | undefined
  /** The field whose value an answer repeats where this one is empty. */
  readonly emptyAs?: string | undefined
  /** Set for a name that is not in the contract, but may be in the records of a site. */
  readonly isUnknown?: true
  readonly comparison: Operator
  /** Undefined for an empty field, which is written as `none`. */
  readonly value: string | undefined
  /** The time that a date stands for. */
  readonly span?: WallSpan
}

/** The name is that of a field, or what people call the field. */
const form = /^\s*([\p{L}_][\p{L}\d_ .’'·-]*?)\s*(!=|!~|>=|<=|=|>|<|~)\s*(\S.*?)\s*$/isu

const quotedText = /"[^"]*"|'[^']*'/g

/** Words between conditions, if a field and a comparison follow: a title can contain them, too. */
const between = /\s+(and|or|&&|\|\||i|o|y|e|u)\s+(?=[\p{L}_][\p{L}\d_.·-]*\s*(?:[!<>]?=|!?~|[<>]))/giu

/** The conditions in a text that are joined by `and`; throws `usage` for `or`, because all conditions must hold. */
export function conditionsIn(text: string): string[] {
  const unquoted = text.replace(quotedText, quoted => '"'.repeat(quoted.length))
  const parts: string[] = []
  let from = 0
  for (const { 0: all, 1: word = '', index } of unquoted.matchAll(between)) {
    if (/^(or|\|\||o|u)$/i.test(word))
      throw invalid(
        `--where "${text}"`,
        phrase('conditions cannot be joined by "{word}", because all of them must hold', { word }),
        phrase('run the command once for each of them, or filter a list: {command}', {
          command: 'calctl events list --all --jq \'.[] | select(.title == "A" or .title == "B")\'',
        }),
      )
    parts.push(text.slice(from, index))
    from = index + all.length
  }
  return [...parts, text.slice(from)]
}

interface Reading {
  readonly resources: readonly Resource[]
  /** The wall time that relative dates count from. */
  now(): Promise<string>
  /** The name of the field that people call so. */
  pathCalled?(name: string): string
}

/** Reads a condition of `--where`. */
export async function readCondition(
  text: string,
  { resources, now, pathCalled = name => name }: Reading,
): Promise<Condition> {
  const label = `--where "${text}"`
  const [, name = '', comparison, value = ''] = form.exec(text) ?? []
  if (comparison === undefined)
    throw invalid(
      label,
      phrase('expected a field, a comparison and a value'),
      forExample(listOf(["'cost>20'", "'image=none'", "'title~jazz'"], 'or')),
    )
  const off = statusCondition(label, name, comparison, unquote(value))
  if (off) return off
  const path = pathOf(pathCalled(name))
  const having = resources.filter(resource => fieldAt(resource, path))
  const [first] = having
  const field: Pick<Condition, 'type' | 'of' | 'emptyAs' | 'isUnknown'> = (first && fieldAt(first, path)) ?? {
    type: 'any',
    isUnknown: true,
  }
  const choices = first?.fields[path]?.choices
  const operand = choiceNamed(unquote(value), choices ?? []) ?? unquote(value)
  const condition: Condition = {
    label,
    path,
    resources: new Set((first ? having : resources).map(resource => resource.name)),
    ...field,
    comparison: comparison as Operator,
    value: value.toLowerCase() === 'none' ? undefined : operand,
  }
  checkComparison(condition)
  return condition.type === 'date' ? withSpan(condition, now) : condition
}

/** `cancelled=yes` as a condition on the status of events. */
function statusCondition(label: string, name: string, comparison: string, text: string): Condition | undefined {
  const status = eventStatusNamed(name)
  if (status === undefined) return undefined
  const isWanted = readBoolean(text)
  if (isWanted === undefined || !/^!?=$/.test(comparison))
    throw invalid(
      label,
      phrase('expected {expected}, got "{text}"', { expected: phrase('yes or no'), text }),
      forExample(`'${name}=${phrase('yes')}'`),
    )
  return {
    label,
    path: 'event_status',
    resources: new Set(['events']),
    type: 'text',
    comparison: isWanted === (comparison === '=') ? '=' : '!=',
    value: status,
  }
}

async function withSpan(condition: Condition, now: () => Promise<string>): Promise<Condition> {
  const { value, comparison, label } = condition
  if (value === undefined || comparison.endsWith('~')) return condition
  const span = readSpan(value, readDate(value) ? '' : await now())
  if (!span.ok) {
    const { message, hint, readings } = span
    const doubt = readings && { option: '--where', text: value, readings }
    throw new Failure('usage', `${label}: ${message}`, { hint, ...(doubt && { doubt }) })
  }
  return { ...condition, span: span.span }
}

/** `Start-Date` is start_date. */
const pathOf = (name: string): string => name.toLowerCase().replaceAll('-', '_')

const unquote = (text: string): string => (/^(["']).*\1$/s.test(text) && text.length > 1 ? text.slice(1, -1) : text)

/** How fields of a shape are compared; others as their schema says. */
const shapeTypes: Partial<Record<ValueShape, FieldType>> = {
  number: 'number',
  flag: 'boolean',
  moment: 'date',
  amount: 'cost',
  picture: 'image',
  links: 'link',
}

/** The type of a field of a resource, or of a record that it links to; undefined for a name that is neither. */
function fieldAt(resource: Resource, path: string): Pick<Condition, 'type' | 'of' | 'emptyAs'> | undefined {
  const [top = '', ...rest] = path.split('.')
  const field = ownOf(resource.fields, top)
  const isHidden = field?.queryOnly || field?.secret
  if (field?.of && rest.length > 0) return fieldAt(resourceNamed(field.of), rest.join('.'))
  const schema = ownOf(answerSchemas[resource.name].properties, top)
  if (isHidden || (!field && !schema)) return undefined
  if (rest.length > 0) return { type: 'any' }
  if (field?.of && field.kind.shape !== 'number') return { type: 'link', of: field.of }
  return { type: (field && shapeTypes[field.kind.shape]) ?? schemaType(top, schema), emptyAs: field?.site?.emptyAs }
}

/** The entry of a table; none for `constructor` and other names of its prototype. */
const ownOf = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

function schemaType(name: string, schema: unknown): FieldType {
  const { type, pattern } = (schema ?? {}) as { type?: unknown; pattern?: unknown }
  if (pattern !== undefined || /^(modified|date)(_utc|_gmt)?$/.test(name)) return 'date'
  const types = [type].flat()
  if (types.includes('integer') || types.includes('number')) return 'number'
  return types.includes('boolean') ? 'boolean' : 'text'
}

const ordered: readonly FieldType[] = ['number', 'date', 'cost', 'any']

function checkComparison({ label, path, type, comparison, value }: Condition): void {
  const isOrder = /^[<>]/.test(comparison)
  if (isOrder && value === undefined)
    throw invalid(label, phrase('none cannot be compared with {comparison}', { comparison }), useEquality())
  if (isOrder && !ordered.includes(type))
    throw invalid(label, phrase('{field} has no order', { field: path }), useEquality())
  if (comparison.endsWith('~') && value === undefined)
    throw invalid(label, phrase('none cannot be searched for with {comparison}', { comparison }), useEquality())
  if (value === undefined || comparison.endsWith('~')) return
  const mistake = type === 'cost' && readingMistake(readPrice(value), value)
  if (mistake) throw invalid(label, mistake.message, mistake.hint)
  checkForm({ label, path, type, comparison }, value)
}

/** Throws `usage` for a value that cannot be compared with those of a field. */
function checkForm({ label, path, type, comparison }: Omit<Condition, 'value' | 'resources'>, value: string): void {
  const isOrder = /^[<>]/.test(comparison)
  const needsNumber = type === 'number' || (type === 'cost' && isOrder)
  if (needsNumber && !Number.isFinite(numberIn(value, type)))
    throw invalid(
      label,
      phrase('expected {expected}, got "{text}"', { expected: phrase('a number'), text: value }),
      forExample(`'${path}${comparison}20'`),
    )
  if (type === 'boolean' && readBoolean(value) === undefined)
    throw invalid(
      label,
      phrase('expected {expected}, got "{text}"', { expected: phrase('true or false'), text: value }),
      forExample(`'${path}=true'`),
    )
}

/** The number that a value is compared as; NaN for words, and for two amounts. */
export function numberIn(text: string, type: FieldType): number {
  if (type !== 'cost') return Number(text.replace(',', '.'))
  const reading = readPrice(text)
  const [amount, other] = 'value' in reading ? reading.value.amounts : []
  return other === undefined ? Number(amount) : Number.NaN
}

const useEquality = (): string => phrase('use = or !=')

const invalid = (label: string, message: string, hint: string): Failure => usage(`${label}: ${message}`, hint)

/** The field to sort by, from its name as typed and its path; throws `usage` for a name that no answer has. */
export function readField(name: string, called: string, resource: Resource): Condition {
  const path = pathOf(called)
  const field = fieldAt(resource, path)
  const condition: Condition = {
    label: `--sort ${name}`,
    path,
    resources: new Set([resource.name]),
    type: 'any',
    ...field,
    comparison: '>=',
    value: '',
  }
  if (!field) throw unknownField(condition, [resource])
  return condition
}

/** The failure for a name that no record has. */
export function unknownField({ label, path }: Condition, resources: readonly Resource[]): Failure {
  const [top = '', ...rest] = path.split('.')
  const known = resources.flatMap(resource => {
    const linked = rest.length > 0 ? resource.fields[top]?.of : undefined
    return linked ? namesOf(resourceNamed(linked)).map(name => `${top}.${name}`) : namesOf(resource)
  })
  const suggestion = nearest(path, known)
  const list = phrase('list the fields with: {command}', {
    command: `calctl ${resources[0]?.name} list --limit 1 --json`,
  })
  return invalid(
    label,
    phrase('{records} have no field "{path}"', {
      records: listOf(resources.map(({ name }) => recordsNoun(name))),
      path,
    }),
    suggestion ? phrase('did you mean {suggestion}? {hint}', { suggestion, hint: list }) : list,
  )
}

const namesOf = (resource: Resource): string[] =>
  [...new Set([...Object.keys(answerSchemas[resource.name].properties), ...Object.keys(resource.fields)])].filter(
    name => fieldAt(resource, name),
  )
