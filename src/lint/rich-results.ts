import type { ErrorObject, ValidateFunction } from 'ajv'
import pMap from 'p-map'
import { documentedNamespace, resourceNamed } from '../contract/contract.ts'
import { isObject } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { counted } from '../text/words.ts'
import type { Briefs, EventBrief } from './brief.ts'
import type { ComparedProblem, LintContext, Rule } from './rule.ts'

const text = { type: 'string', minLength: 1 }
const moment = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}' }

/** Without these, search engines show no event: the documentation of Google's search, "Event structured data". */
const required = {
  type: 'object',
  required: ['name', 'startDate', 'location'],
  properties: {
    name: text,
    startDate: moment,
    location: {
      type: 'object',
      required: ['address'],
      // `@type` alone is no address.
      properties: { address: { anyOf: [text, { type: 'object', minProperties: 2 }] } },
    },
  },
}

/** What makes an entry better. */
const recommended = {
  type: 'object',
  required: ['description', 'endDate', 'eventStatus', 'image', 'offers', 'organizer'],
  properties: {
    description: text,
    endDate: moment,
    image: { anyOf: [text, { type: 'array', minItems: 1 }, { type: 'object' }] },
    location: { type: 'object', required: ['name'], properties: { name: text } },
    organizer: { type: 'object', required: ['name', 'url'], properties: { name: text, url: text } },
    offers: { type: 'object', required: ['price', 'priceCurrency', 'url'] },
  },
}

/** What is missing, by its place in the data, and the option that gives it. */
const parts: Readonly<Record<string, Part>> = {
  name: ['a title', '--title TEXT'],
  startDate: ['a start', '--start-date DATE'],
  endDate: ['an end', '--end-date DATE'],
  location: ['a venue', '--venue NAME'],
  'location/address': ['the address of its venue', ''],
  'location/name': ['the name of its venue', ''],
  description: ['a description', '--description TEXT'],
  image: ['an image', '--image FILE'],
  offers: ['a cost', '--cost AMOUNT'],
  organizer: ['an organizer', '--organizer NAME'],
  'organizer/name': ['the name of its organizer', ''],
  'organizer/url': ['the website of its organizer', ''],
}

/** The part that an error of the schema is about: `location/address`. */
function partOf({ instancePath, keyword, params }: ErrorObject): string {
  const path = instancePath.slice(1)
  return keyword === 'required' ? [path, String(params.missingProperty)].filter(one => one !== '').join('/') : path
}

let ajv: Promise<(schema: object) => ValidateFunction> | undefined

const compiled = new Map<object, ValidateFunction>()

async function prepare(): Promise<void> {
  ajv ??= import('ajv').then(({ Ajv }) => {
    const checker = new Ajv({ allErrors: true, strict: false })
    return schema => checker.compile(schema)
  })
  const compile = await ajv
  for (const schema of [required, recommended]) if (!compiled.has(schema)) compiled.set(schema, compile(schema))
}

/** Of which records it was said that not all were looked at. */
const noticed = new WeakSet<Briefs>()

/** The data of events that both rules look at: one request for each event. */
const answers = new WeakMap<Briefs, Map<number, Promise<unknown>>>()

function dataOf(briefs: Briefs, { id, lang_code }: EventBrief, { client }: LintContext): Promise<unknown> {
  const known = answers.get(briefs) ?? new Map<number, Promise<unknown>>()
  answers.set(briefs, known)
  const language = lang_code === undefined || lang_code === client.language ? {} : { lang_code }
  const read = async () => {
    try {
      return (await client.get(resourceNamed('events'), { id }, language)).json_ld
    } catch (error) {
      // It may have been removed, or be locked: then nobody finds it anyway.
      if (error instanceof Failure && (error.kind === 'missing' || error.kind === 'refused')) return undefined
      throw error
    }
  }
  const answer = known.get(id) ?? read()
  known.set(id, answer)
  return answer
}

async function* missingParts(
  rule: Rule,
  schema: object,
  briefs: Briefs,
  context: LintContext,
): AsyncGenerator<ComparedProblem> {
  const { events: most = 0 } = context.limitsOf(rule)
  const coming = briefs.events.filter(
    ({ status, until }) => (status === 'publish' || status === '') && !(until < context.now),
  )
  const absent: EventBrief[] = []
  for (let start = 0; start < Math.min(coming.length, most); start += 16) {
    const batch = coming.slice(start, Math.min(start + 16, most))
    const found = await pMap(batch, event => dataOf(briefs, event, context), { concurrency: 4 })
    for (const [index, event] of batch.entries()) {
      const data = [found[index]].flat().find(isObject)
      const check = compiled.get(schema)
      // A site without this data has another plugin for it, or none.
      if (!data) absent.push(event)
      if (!data || !check || check(data)) continue
      const missing = [...new Set((check.errors ?? []).map(partOf))].flatMap(part => (parts[part] ? [parts[part]] : []))
      yield* problemsOf(event, missing, context)
    }
  }
  // What both rules look at is said once.
  if (noticed.has(briefs)) return
  noticed.add(briefs)
  if (coming.length > most)
    await context.notice(
      `checked the data for search engines of ${most} of ${counted(coming.length, 'event')}; to check more, raise the threshold "events" of the rule`,
    )
  // Where no event has the data, only The Events Calendar would be expected to give it.
  const isExpected = context.client.namespace !== documentedNamespace || absent.length < Math.min(coming.length, most)
  if (absent.length > 0 && isExpected)
    await context.notice(
      `not checked: ${counted(absent.length, 'event')} for which the site gives no data for search engines, for example ${absent[0]?.id}`,
    )
}

type Part = readonly [name: string, option: string]

function* problemsOf(event: EventBrief, missing: readonly Part[], context: LintContext): Generator<ComparedProblem> {
  for (const [name, option] of missing)
    yield {
      of: event,
      message: `lacks ${name} for search engines`,
      field: 'json_ld',
      suggestion:
        option === ''
          ? context.command(`events get ${event.id}`)
          : context.updateOf(resourceNamed('events'), event, option),
    }
}

/** A rule on the data of events, by a schema. */
const dataRule = (schema: object, texts: Pick<Rule, 'id' | 'level' | 'finds' | 'why'>): Rule => ({
  ...texts,
  remedy: 'add it; the threshold is how many events are checked, with one request each',
  resources: ['events'],
  limits: { events: 500 },
  online: true,
  prepare,
  compare(briefs, context) {
    return missingParts(this, schema, briefs, context)
  },
})

const requiredParts = dataRule(required, {
  id: 'rich-results-required',
  level: 'warning',
  finds:
    'the structured data of an event lacks what search engines need to show it as an event: a name, a start, a venue with an address',
  why: 'the event does not appear among the events of a search',
})

const recommendedParts = dataRule(recommended, {
  id: 'rich-results-recommended',
  level: 'info',
  finds:
    'the structured data of an event lacks what search engines recommend: image, description, cost, organizer with a website',
  why: 'its entry among the events of a search is smaller, and further down',
})

export const richResults: readonly Rule[] = [requiredParts, recommendedParts]
