/**
 * The line that somebody meant whose words a command has no place for: the name of a file, days, what to count by, a title. Input: the
 * command and these words. Output: the whole line, with options in place of the words, for a hint.
 */

import type { Command } from 'commander'
import { shellWord } from '../base/text/escaping.ts'
import { hidePassword, isSecretName } from '../base/text/secrets.ts'
import { asOption } from '../base/text/sentence-parts.ts'
import { smallWords } from '../base/text/similarity.ts'
import { readSpan } from '../base/time/typed-dates.ts'
import { resources } from '../contract/contract.ts'
import { choiceNamed } from '../contract/post-status.ts'
import { groupings } from './commands/care.ts'
import { outputFormsOf } from './commands/shared/output-forms.ts'
import { anyTime, areDays } from './commands/shared/read-criteria.ts'
import { spokenName } from './terminal/spoken-name.ts'

type OptionWords = readonly (readonly [flag: string, value: string])[]

/** The line in which options say what the words mean; undefined unless each word tells, or if the line has a secret. */
export function meantLine(command: Command, words: readonly string[], args: readonly string[]): string | undefined {
  const file = words.find(word => formatOf(command, word))
  const others = words.filter(word => word !== file && !(file && word.startsWith('-')))
  const meant: OptionWords | undefined = file && others.length === 0 ? [] : optionsFor(command, others)
  const isTwice = meant?.some(([flag]) => args.some(word => word.split('=', 1)[0] === flag))
  if (!meant || isTwice || args.some(word => isSecretName(word) || hidePassword(word) !== word)) return undefined
  const kept = words.reduceRight((left, word) => left.toSpliced(left.lastIndexOf(word), 1), [...args])
  const format = file === undefined ? [] : ['-o', formatOf(command, file) ?? '']
  const line = ['calctl', ...[...kept, ...meant.flat(), ...format].map(shellWord)]
  return [...line, ...(file === undefined ? [] : ['>', shellWord(file.replace(/^-.*?=/, ''))])].join(' ')
}

/** The format of a file that a command can write. */
const formatOf = (command: Command, file: string): string | undefined =>
  outputFormsOf(command)?.forms.find(form => file.endsWith(`.${form}`))

function optionsFor(command: Command, words: readonly string[]): OptionWords | undefined {
  if (words.length === 0 || words.some(word => word.startsWith('-'))) return undefined
  const has = (flag: string) => command.options.some(({ long }) => long === flag)
  const { title = '' } = resources.find(({ name }) => name === command.parent?.name()) ?? {}
  if (command.name() === 'create' && has(asOption(title)))
    return titleAndStart(asOption(title), words, has('--start-date'))
  const text = words.join(' ')
  const by = text.replace(/^(?:per|by|por) /i, '')
  if (has('--by') && choiceNamed(by, groupings, spokenName)) return [['--by', by]]
  if (has('--year') && /^\d{4}$/.test(text)) return [['--year', text]]
  return has('--on') && areDays(text) ? [['--on', text]] : undefined
}

/** A title, and the day and hour behind it: `Concert dissabte 20h`. */
function titleAndStart(flag: string, words: readonly string[], hasStart: boolean): OptionWords {
  const isStart = (_: string, at: number) =>
    at > 0 && readSpan(words.slice(at).join(' '), anyTime).ok && !smallWords.has(words[at - 1] ?? '')
  const found = hasStart ? words.findIndex(isStart) : -1
  const at = found < 0 ? words.length : found
  const start = words.slice(at).join(' ')
  return [[flag, words.slice(0, at).join(' ')], ...(start === '' ? [] : [['--start-date', start] as const])]
}
