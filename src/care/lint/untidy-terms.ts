import { foldText } from '../../base/text/folding.ts'
import { similarName } from '../../base/text/similarity.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Briefs, TermBrief } from './brief.ts'
import type { ComparedProblem, Rule } from './rule.ts'

const kinds = ['categories', 'tags'] as const

const similar: Rule = {
  id: 'similar-terms',
  level: 'warning',
  finds: () => phrase('two categories or two tags differ by a letter, case, accents or punctuation'),
  why: () => phrase('related events are split between them, and each page shows half'),
  remedy: () => phrase('merge the one with fewer events into the other'),
  resources: kinds,
  *compare(briefs): Generator<ComparedProblem> {
    for (const name of kinds)
      for (const [rare, common] of similarPairs(briefs[name]))
        yield {
          of: rare,
          message: phrase('is nearly the same as {term}', { term: `${JSON.stringify(common.name)} (${common.id})` }),
          field: 'name',
          command: `${name} merge ${common.id} ${rare.id}`,
        }
  },
}

/** Pairs of terms with similar names, the less used one first. Only names that become equal without one letter are compared. */
function* similarPairs(terms: readonly TermBrief[]): Generator<[TermBrief, TermBrief]> {
  const bySpelling = new Map<string, TermBrief[]>()
  for (const term of terms) {
    const spellings = spellingsOf(term.name)
    const alike = new Set([...spellings].flatMap(spelling => bySpelling.get(spelling) ?? []))
    const similar = [...alike].filter(other => similarName(term.name, [other.name]) !== undefined)
    for (const other of similar) yield term.count <= other.count ? [term, other] : [other, term]
    for (const spelling of spellings) {
      const others = bySpelling.get(spelling) ?? []
      if (others.length < mostAlike) bySpelling.set(spelling, [...others, term])
    }
  }
}

/** How many terms of one spelling are compared with others, so that a hostile list does not take forever. */
const mostAlike = 20

/** People do not type longer names. */
const longest = 60

/** The letters of a name, and the same with any one of them left out. */
function spellingsOf(name: string): Set<string> {
  const letters = foldText(name)
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .slice(0, longest)
  return new Set([letters, ...Array.from(letters, (_, at) => letters.slice(0, at) + letters.slice(at + 1))])
}

const unusedTerm: Rule = {
  id: 'unused-term',
  level: 'info',
  finds: () => phrase('a category or tag is unused'),
  why: () => phrase('its page is empty, but search engines still show it'),
  remedy: () => phrase('delete it, if it will not be needed again'),
  resources: kinds,
  readsAllEvents: true,
  *compare(briefs): Generator<ComparedProblem> {
    for (const [name, term] of termsUsed(briefs, 0))
      yield { of: term, message: phrase('is unused'), command: `${name} delete ${term.id}` }
  },
}

const usedOnce: Rule = {
  id: 'term-used-once',
  level: 'info',
  finds: () => phrase('a category or tag is used by a single event'),
  why: () => phrase('a page with a single event is of little use; often another term was meant'),
  remedy: () => phrase('give the event a term that others have, and delete this one'),
  resources: kinds,
  readsAllEvents: true,
  *compare(briefs): Generator<ComparedProblem> {
    for (const [name, term] of termsUsed(briefs, 1))
      yield {
        of: term,
        message: phrase('is used once'),
        command: `events list --all-dates --${name} ${term.slug || term.id}`,
      }
  },
}

/** The terms with a certain number of records. Sites use tags for other content, too, which only their own count includes. */
function* termsUsed(briefs: Briefs, times: number): Generator<[string, TermBrief]> {
  const { uses } = briefs
  if (!uses) return
  for (const name of kinds)
    for (const term of briefs[name])
      if (Math.max(term.count, uses[name].get(term.id) ?? 0) === times) yield [name, term]
}

export const untidyTermRules: readonly Rule[] = [similar, unusedTerm, usedOnce]
