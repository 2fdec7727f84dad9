import pMap from 'p-map'
import { Failure } from '../../base/failure.ts'
import { isObject } from '../../base/text/json.ts'
import { phrase } from '../../base/words/phrase.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Briefs, EventBrief } from './brief.ts'
import type { ComparedProblem, LintContext, Rule } from './rule.ts'

/** What the structured data of an event may lack, and the option that sets it. */
interface Part {
  says(): string
  /** Empty if no option of the event gives it. */
  readonly option: string
  readonly isIn: (data: Data) => boolean
}

type Data = Readonly<Record<string, unknown>>

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

const isMoment = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value)

/** `@type` alone is not an address. */
const isAddress = (value: unknown): boolean => isText(value) || (isObject(value) && Object.keys(value).length > 1)

const isImage = (value: unknown): boolean =>
  isText(value) || (Array.isArray(value) ? value.length > 0 : isObject(value))

/** Whether a part has this, if it exists at all: its absence is another problem. */
const has = (part: unknown, isRight: (part: Data) => boolean): boolean => !isObject(part) || isRight(part)

/** Without these, search engines show no event: the documentation of Google's search, "Event structured data". */
const required: readonly Part[] = [
  { says: () => phrase('lacks a title for search engines'), option: '--title TEXT', isIn: ({ name }) => isText(name) },
  {
    says: () => phrase('lacks a start for search engines'),
    option: '--start-date DATE',
    isIn: ({ startDate }) => isMoment(startDate),
  },
  {
    says: () => phrase('lacks a venue for search engines'),
    option: '--venue NAME',
    isIn: ({ location }) => isObject(location),
  },
  {
    says: () => phrase('lacks the address of its venue for search engines'),
    option: '',
    isIn: ({ location }) => has(location, ({ address }) => isAddress(address)),
  },
]

/** What improves an entry. */
const recommended: readonly Part[] = [
  {
    says: () => phrase('lacks a description for search engines'),
    option: '--description TEXT',
    isIn: ({ description }) => isText(description),
  },
  {
    says: () => phrase('lacks an end for search engines'),
    option: '--end-date DATE',
    isIn: ({ endDate }) => isMoment(endDate),
  },
  {
    says: () => phrase('lacks an image for search engines'),
    option: '--image FILE',
    isIn: ({ image }) => isImage(image),
  },
  {
    says: () => phrase('lacks a cost for search engines'),
    option: '--cost AMOUNT',
    isIn: ({ offers }) => isObject(offers),
  },
  {
    says: () => phrase('lacks an organizer for search engines'),
    option: '--organizer NAME',
    isIn: ({ organizer }) => isObject(organizer),
  },
  {
    says: () => phrase('lacks the name of its venue for search engines'),
    option: '',
    isIn: ({ location }) => has(location, ({ name }) => isText(name)),
  },
  {
    says: () => phrase('lacks the name of its organizer for search engines'),
    option: '',
    isIn: ({ organizer }) => has(organizer, ({ name }) => isText(name)),
  },
  {
    says: () => phrase('lacks the website of its organizer for search engines'),
    option: '',
    isIn: ({ organizer }) => has(organizer, ({ url }) => isText(url)),
  },
]

/** The lists of records with a notice that not all of them were checked. */
const noticed = new WeakSet<Briefs>()

/** The data of events for both rules: one request for each event. */
const answers = new WeakMap<Briefs, Map<number, Promise<unknown>>>()

function dataOf(briefs: Briefs, { id, lang_code }: EventBrief, { client }: LintContext): Promise<unknown> {
  const known = answers.get(briefs) ?? new Map<number, Promise<unknown>>()
  answers.set(briefs, known)
  const language = lang_code === undefined || lang_code === client.language ? {} : { lang_code }
  const read = async () => {
    try {
      return (await client.get(resourceNamed('events'), { id }, language)).json_ld
    } catch (error) {
      // The event may have been removed, or have a password: then nobody finds it anyway.
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
  parts: readonly Part[],
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
      // A site without this data uses another plugin for it, or none.
      if (!data) absent.push(event)
      else
        yield* problemsOf(
          event,
          parts.filter(({ isIn }) => !isIn(data)),
          context,
        )
    }
  }
  // Both rules give this notice; it is printed once.
  if (noticed.has(briefs)) return
  noticed.add(briefs)
  if (coming.length > most)
    await context.notice(
      phrase(
        'checked the data for search engines of {count} of {total, plural, one {# event} other {# events}}; to check more, raise the threshold "events" of the rule',
        { count: most, total: coming.length },
      ),
    )
  // If no event has the data, that is a problem only on a site whose pages should have it.
  const isExpected = context.client.capabilities.describesEvents || absent.length < Math.min(coming.length, most)
  if (absent.length > 0 && isExpected)
    await context.notice(
      phrase(
        'not checked: {count, plural, one {# event} other {# events}} for which the site gives no data for search engines, for example {id}',
        { count: absent.length, id: String(absent[0]?.id) },
      ),
    )
}

function* problemsOf(event: EventBrief, missing: readonly Part[], context: LintContext): Generator<ComparedProblem> {
  for (const { says, option } of missing)
    yield {
      of: event,
      message: says(),
      field: 'json_ld',
      suggestion:
        option === ''
          ? context.command(`events get ${event.id}`)
          : context.updateOf(resourceNamed('events'), event, option),
    }
}

/** Makes a rule about the data of events. */
const dataRule = (parts: readonly Part[], texts: Pick<Rule, 'id' | 'level' | 'finds' | 'why'>): Rule => ({
  ...texts,
  remedy: () => phrase('add it; the threshold is how many events are checked, with one request each'),
  resources: ['events'],
  limits: { events: 500 },
  online: true,
  compare(briefs, context) {
    return missingParts(this, parts, briefs, context)
  },
})

const requiredParts = dataRule(required, {
  id: 'rich-results-required',
  level: 'warning',
  finds: () =>
    phrase(
      'the structured data of an event lacks what search engines need to show it as an event: a name, a start, a venue with an address',
    ),
  why: () => phrase('the event does not appear in the event search'),
})

const recommendedParts = dataRule(recommended, {
  id: 'rich-results-recommended',
  level: 'info',
  finds: () =>
    phrase(
      'the structured data of an event lacks what search engines recommend: image, description, cost, organizer with a website',
    ),
  why: () => phrase('its search result is smaller, and further down'),
})

export const richResults: readonly Rule[] = [requiredParts, recommendedParts]
