import { type Field, fieldOf, type KindWords } from '../field.ts'
import type { Words } from '../languages.ts'
import { defineKind } from './define-kind.ts'

function readChoice(value: unknown, { choices }: Field): string | undefined {
  return typeof value === 'string' ? choices?.find(choice => choice === value.toLowerCase()) : undefined
}

/** A list, or a text with commas, in which every part can be read. */
export function readList(value: unknown, read: (part: unknown) => unknown): unknown[] | undefined {
  const parts = typeof value === 'string' ? value.split(',').map(part => part.trim()) : [value].flat()
  const list = parts.map(read)
  return list.length === 0 || list.includes(undefined) ? undefined : list
}

const wordsWith =
  (placeholder: string, count: string) =>
  ({ choices = [] }: Field): KindWords => ({
    placeholder,
    expected: `${count} of ${choices.join(', ')}`,
    example: choices[0] ?? '',
  })

const choiceKind = defineKind<string, string | null>({
  name: 'choice',
  words: wordsWith('word', 'one'),
  read: readChoice,
  blank: null,
})

const choicesKind = defineKind<string[]>({
  name: 'choices',
  words: wordsWith('words', 'one or more'),
  read: (value, field) => readList(value, part => readChoice(part, field)),
  blank: [],
})

/** One of a few words. */
export const choice = <const E extends Omit<Partial<Field>, 'kind' | 'words'> = object>(
  words: Words,
  choices: readonly string[],
  extra?: E,
) => fieldOf(choiceKind)(words, { choices, ...extra } as E)

/** Several choices, comma-separated. */
export const choices = (words: Words, allowed: readonly string[]) => fieldOf(choicesKind)(words, { choices: allowed })
