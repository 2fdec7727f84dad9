import type { Request, Response } from '../contract/exchange.ts'
import { type Answer, isObject, type Resource } from '../contract/resource.ts'
import type { FailureKind } from '../failure.ts'
import type { Calendar } from './calendar.ts'
import type { Page, Ref } from './client.ts'

/** What was asked of whom, for messages. */
export interface Asked {
  readonly calendar: Calendar
  readonly request: Request
  readonly resource?: Resource
  readonly ref?: Ref
}

/** What an answer means to people. */
export interface Told {
  readonly kind: FailureKind
  readonly message: string
  readonly hint?: string | undefined
}

/** The value that a body holds; undefined where it is not JSON. */
export function parsed({ body }: Response): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : decoder.decode(body))
  } catch {
    return undefined
  }
}

const decoder = new TextDecoder()

/** The record in an answer; undefined where there is none. */
export const recordIn = (value: unknown): Answer | undefined => (isRecord(value) ? value : undefined)

/** The page in an answer given at this time, in ms; undefined where it is none of this resource. */
export function pageIn(resource: Resource, value: unknown, siteTime: number): Page | undefined {
  const records = isObject(value) ? value[resource.name] : undefined
  if (!isObject(value) || !Array.isArray(records) || !records.every(isRecord)) return undefined
  const totals = { total: Number(value.total ?? records.length), pages: Number(value.total_pages ?? 1) }
  return { records, ...totals, ...(!Number.isNaN(siteTime) && { siteTime }) }
}

const isRecord = (value: unknown): value is Answer => isObject(value) && typeof value.id === 'number'
