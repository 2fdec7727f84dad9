import type { $ZodIssue } from 'zod/v4/core'
import { listOf } from '../base/text/sentence-parts.ts'
import { phrase } from '../base/words/phrase.ts'

/** What is wrong with a setting in a file, as a part of a sentence. */
export function settingMistake(issue: $ZodIssue): string {
  if (issue.code === 'unrecognized_keys')
    return phrase('unknown setting {names}', { names: listOf(issue.keys.map(key => `"${key}"`)) })
  if (issue.code === 'invalid_type') return typeSentence(issue.expected)
  if (issue.code === 'invalid_value') return phrase('expected one of {choices}', { choices: issue.values.join(', ') })
  return issue.message
}

function typeSentence(expected: string): string {
  if (expected === 'string') return phrase('expected text')
  if (expected === 'array') return phrase('expected a list')
  return expected === 'boolean' ? phrase('expected true or false') : phrase('expected an object')
}
