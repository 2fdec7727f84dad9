import { lookupTable } from '../base/memoize.ts'
import { foldCase } from '../base/text/folding.ts'
import { interfaceLanguage, phrase } from '../base/words/phrase.ts'

/** The statuses that events, venues and organizers can have. */
export const statuses = ['publish', 'draft', 'pending', 'private', 'future', 'trash'] as const

/** Publication status: whether the public can see a record, and if not, why. */
export type Status = (typeof statuses)[number]

/** The statuses in WordPress's database: those of the API, and two that it assigns itself. */
export const wordpressStatuses: readonly string[] = [...statuses, 'auto-draft', 'inherit']

const labels: Readonly<Record<string, () => string>> = lookupTable({
  publish: () => phrase('publish'),
  draft: () => phrase('draft'),
  pending: () => phrase('pending'),
  private: () => phrase('private'),
  future: () => phrase('future'),
  trash: () => phrase('trash'),
  canceled: () => phrase('cancelled'),
  postponed: () => phrase('postponed'),
})

/** The label of a status; other statuses of WordPress unchanged. */
export const statusLabel = (status: string): string => labels[status]?.() ?? status

/** The choice for a label in the language of the interface, or for a word that people write in a column of statuses. */
export function choiceNamed(word: string, choices: readonly string[], label = statusLabel): string | undefined {
  const letters = (text: string) => foldCase(text.trim()).replaceAll('·', '')
  const named = statusNamed(word)
  return choices.find(choice => letters(label(choice)) === letters(word)) ?? choices.find(choice => choice === named)
}

/** Choices for a sentence, with labels unless the language is English: `draft (esborrany)`. */
export const choiceList = (choices: readonly string[] = [], labelOf = statusLabel): string =>
  choices
    .map(choice => {
      const label = interfaceLanguage() === 'en' ? choice : labelOf(choice)
      return label === choice ? choice : `${choice} (${label})`
    })
    .join(', ')

const unpublished = new Set(['draft', 'pending', 'auto-draft'])

/** Whether a post has never been published: it has no publication date in UTC, and in production no slug. */
export const isUnpublished = (status: string): boolean => unpublished.has(status)

/** The UTC date of a post that was never published. */
export const noDate = '0000-00-00 00:00:00'

/** Words that people write in a column of statuses. */
const statusWords: readonly (readonly [status: Status, words: string])[] = [
  [
    'publish',
    'publicat publicada publicado published public confirmat confirmada confirmado confirmed ok live started ended completed past upcoming active',
  ],
  ['draft', 'esborrany borrador'],
  ['pending', 'pendent pendiente'],
  ['private', 'privat privada privado'],
]

/** Undefined if the word is not a status in Catalan, Spanish or English. */
export const statusNamed = (word: string): Status | undefined => {
  const folded = foldCase(word.trim())
  return statusWords.find(([, words]) => words.split(' ').includes(folded))?.[0]
}
