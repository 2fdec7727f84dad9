import { languageOf } from '../client/languages/known-languages.ts'
import { isLanguage, type Language, languages } from '../contract/languages.ts'
import { decodeEntities } from '../text/escaping.ts'
import { textAt } from './brief.ts'
import type { Problem, Rule } from './rule.ts'

const names: Readonly<Record<Language, string>> = { ca: 'Catalan', en: 'English', es: 'Spanish' }

type Detect = (text: string) => { readonly language: string; getScores(): Readonly<Record<string, number>> }

let detect: Detect | undefined

/** More of a text tells nothing more. */
const longest = 300

/** A language is certain if its score is so much above that of the one it should be. */
const certain = 0.06

/** Words that one of the languages has, and neither of the others. */
const ownWords: Readonly<Record<Language, ReadonlySet<string>>> = {
  ca: new Set('amb i els dels als pels per és aquest aquesta fins sota més molt hi ha ens són'.split(' ')),
  en: new Set('the and of with to for from at by is are on this that our your you their'.split(' ')),
  es: new Set('con y los por para este esta hasta bajo más muy en su se lo'.split(' ')),
}

/** Whether the words of a text are plainly those of one language: that takes a tenth of the time, and most texts are. */
function isPlainly(own: Language, text: string): boolean {
  const counts = { ca: 0, en: 0, es: 0 }
  for (const word of text.toLowerCase().split(/[^\p{L}]+/u))
    for (const language of languages) if (ownWords[language].has(word)) counts[language] += 1
  return counts[own] >= 3 && languages.every(language => language === own || counts[language] * 4 < counts[own])
}

/** Texts of which the language is not that of their record. Names alone do not tell: they are too short. */
export const wrongLanguage: Rule = {
  id: 'wrong-language',
  level: 'warning',
  finds: 'a text is in another language than its record says',
  why: 'readers of one language get a page in another; most often a copy was never translated',
  remedy: 'translate it; the threshold is how many letters a text needs to be judged',
  resources: ['events', 'venues', 'organizers'],
  limits: { letters: 40 },
  async prepare() {
    if (detect) return
    const { eld } = await import('eld/extrasmall')
    // What is in none of these languages, such as a title, is not judged by its likeness to a fourth.
    eld.setLanguageSubset([...languages])
    detect = text => eld.detect(text)
  },
  *check(record, resource, context): Generator<Problem> {
    const own = languageOf(context.client, record)
    const text = plainBeginning(textAt(record, 'description'))
    if (!detect || own === undefined || text.length < (context.limitsOf(this).letters ?? 0)) return
    if (isPlainly(own, text)) return
    const found = detect(text)
    const scores = found.getScores()
    if (!isLanguage(found.language) || found.language === own) return
    if ((scores[found.language] ?? 0) - (scores[own] ?? 0) < certain) return
    yield {
      message: `has a description in ${names[found.language]}, and is in ${names[own]}`,
      field: 'description',
      suggestion: context.updateOf(resource, record, '--description TEXT'),
    }
  },
}

const plainBeginning = (text: string): string =>
  decodeEntities(text.slice(0, 4 * longest).replace(/<[^<>]*>?/g, ' '))
    .trim()
    .slice(0, longest)
