import type { Field, Kind } from './field.ts'

interface KindWords {
  /** How an option shows its value, between angle brackets. */
  readonly placeholder: string
  /** Completes the sentence "expected …". */
  readonly expected: string
  readonly example: string
}

const kinds: Record<Kind, KindWords> = {
  text: { placeholder: 'text', expected: 'text', example: 'Concert' },
  integer: { placeholder: 'number', expected: 'a whole number above 0', example: '7' },
  number: { placeholder: 'number', expected: 'a number', example: '41.38' },
  boolean: { placeholder: 'boolean', expected: 'true or false', example: 'true' },
  choice: { placeholder: 'word', expected: 'one of the listed words', example: 'draft' },
  choices: {
    placeholder: 'words',
    expected: 'one or more of the listed words, comma-separated',
    example: 'publish,draft',
  },
  dateTime: { placeholder: 'date', expected: 'a date and time', example: '2026-12-05 19:00' },
  timeZone: { placeholder: 'zone', expected: 'a time zone', example: 'Europe/Madrid' },
  url: { placeholder: 'url', expected: 'an http or https URL', example: 'https://example.org/' },
  email: { placeholder: 'email', expected: 'an e-mail address', example: 'info@example.org' },
  image: { placeholder: 'id|url', expected: 'an image: an ID or an http or https URL', example: '12' },
  cost: { placeholder: 'cost', expected: 'a cost', example: '15 €' },
  ids: { placeholder: 'ids', expected: 'one or more IDs, comma-separated', example: '3,5' },
  terms: { placeholder: 'terms', expected: 'IDs, slugs or names, comma-separated', example: '3,jazz' },
  posts: { placeholder: 'id|json', expected: 'an ID, or a JSON object', example: '7' },
}

/** How a field's value looks, for help and for messages. */
export function wordsOfKind(field: Field): KindWords {
  const words = kinds[field.kind]
  if (field.choices)
    return {
      ...words,
      expected: `${field.kind === 'choice' ? 'one' : 'one or more'} of ${field.choices.join(', ')}`,
      example: field.choices[0] ?? '',
    }
  if (field.relative) return { ...words, expected: 'a date and time, or words such as tomorrow or +1 week' }
  const { example = words.example } = field
  return field.kind === 'text' && field.nonEmpty ? { ...words, expected: 'text that is not blank', example } : words
}

/** What makes an optional field empty. */
export function emptyValue(field: Field): unknown {
  if (field.kind === 'terms' || field.kind === 'posts') return []
  return field.kind === 'text' || field.kind === 'url' || field.kind === 'email' || field.kind === 'cost' ? '' : null
}
