import pMap from 'p-map'
import { isObject } from '../../base/text/json.ts'
import { phrase } from '../../base/words/phrase.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Answer } from '../../contract/resource.ts'
import { type Brief, type Briefs, type RecordAddress, textAt } from './brief.ts'
import type { ComparedProblem, LintContext, Rule } from './rule.ts'
import { isComing } from './times.ts'
import { linksOf, shortAddress } from './web-links.ts'

/** Collects the addresses of a record that people will still open, each with the first record that has it. */
export function addAddresses(briefs: Briefs, brief: Brief, record: Answer, context: LintContext): void {
  const resource = resourceNamed(brief.resource)
  if (resource.name === 'events' && !isComing(record, context)) return
  const add = (addresses: Map<string, RecordAddress>, field: string, address: string) => {
    if (!/^https?:/i.test(address) || !URL.canParse(address) || addresses.has(address)) return
    addresses.set(address, { of: brief, field })
  }
  for (const [field, address] of linksOf(record, resource)) add(briefs.links, field, absolute(address, record))
  if (isObject(record.image)) add(briefs.images, 'image', textAt(record.image, 'url'))
}

/** A link of a text may be relative to the page. */
function absolute(address: string, record: Answer): string {
  const page = textAt(record, 'url')
  return URL.canParse(address, page || undefined) ? new URL(address, page || undefined).href : ''
}

/** Checks addresses, a few at a time, up to the limit. */
async function* problemsAt(
  addresses: ReadonlyMap<string, RecordAddress>,
  most: number,
  context: LintContext,
  say: AddressSentence,
): AsyncGenerator<ComparedProblem> {
  const { probe, notice } = context
  if (!probe) return
  const looked = [...addresses].slice(0, most)
  if (addresses.size > looked.length)
    await notice(
      phrase(
        'checked {count} of {total, plural, one {# address} other {# addresses}}; to check more, raise the threshold "addresses" of the rule',
        { count: looked.length, total: addresses.size },
      ),
    )
  const unchecked: string[] = []
  // In batches, so that findings are reported soon.
  for (let start = 0; start < looked.length; start += together * 4) {
    const batch = looked.slice(start, start + together * 4)
    const inspections = await pMap(batch, ([address]) => probe.inspect(address), { concurrency: together })
    for (const [index, [address, { of, field }]] of batch.entries()) {
      const { problem, isPrivate } = inspections[index] ?? {}
      if (isPrivate) unchecked.push(address)
      if (problem !== undefined)
        yield { of, message: say(address, problem), field, suggestion: context.command(`${of.resource} edit ${of.id}`) }
    }
  }
  if (unchecked.length > 0)
    await notice(
      phrase(
        'not checked: {count, plural, one {# address} other {# addresses}} on a private network, for example {example}',
        { count: unchecked.length, example: shortAddress(unchecked[0] ?? '') },
      ),
    )
}

const together = 8

/** What is wrong with an address, as a sentence about its record. */
type AddressSentence = (address: string, problem: string) => string

/** Makes a rule about addresses of one kind. */
const addressRule = (
  kind: 'links' | 'images',
  says: AddressSentence,
  texts: Pick<Rule, 'id' | 'level' | 'finds' | 'why' | 'remedy'>,
): Rule => ({
  ...texts,
  resources: ['events', 'venues', 'organizers'],
  limits: { addresses: 1000 },
  online: true,
  compare(briefs, context) {
    const { addresses = 0 } = context.limitsOf(this)
    return problemsAt(briefs[kind], addresses, context, (address, problem) => says(shortAddress(address), problem))
  },
})

const deadLink = addressRule(
  'links',
  (address, problem) => phrase('links to {address}, which {problem}', { address, problem }),
  {
    id: 'dead-link',
    level: 'warning',
    finds: () => phrase('a link leads nowhere: its page is gone, or its site does not answer'),
    why: () => phrase('people cannot book or read more'),
    remedy: () => phrase('correct the address or remove the link; the threshold is how many addresses are checked'),
  },
)

const goneImage = addressRule(
  'images',
  (address, problem) => phrase('has the image {address}, which {problem}', { address, problem }),
  {
    id: 'image-gone',
    level: 'error',
    finds: () => phrase('an image can no longer be loaded'),
    why: () => phrase('the page has a gap in its place, and shared links show no image'),
    remedy: () => phrase('choose another image; the threshold is how many addresses are checked'),
  },
)

export const webAnswers: readonly Rule[] = [goneImage, deadLink]
