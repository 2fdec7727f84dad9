import { wrapCommand } from '../../base/text/wrapping.ts'
import type { Sink } from '../world.ts'

/**
 * Sentences for a terminal of this width: lines break between words, and within a command, which people copy, only if it is longer than a
 * line, with a backslash. Other targets get them unchanged.
 */
export async function wrapSentences(
  text: string,
  { isTTY, columns = 0 }: Pick<Sink, 'isTTY' | 'columns'>,
): Promise<string> {
  const mayBeLong = (line: string) => line.length * 2 > columns
  if (!isTTY || columns <= 0 || !text.split('\n').some(mayBeLong)) return text
  const { wrap } = await import('./table.ts')
  return text
    .split('\n')
    .map(line => (mayBeLong(line) ? wrapLine(line, columns, wrap) : line))
    .join('\n')
}

/** In columns: with less room beside a label, its text is below. */
const leastRoom = 30

/** In place of the spaces of a command, at which a line does not break: a letter of private use, which is as wide. */
const heldSpace = '\ue000'

const command = /(?<=: )calctl [^;()]*/g

function wrapLine(line: string, columns: number, wrap: (text: string, width: number) => string): string {
  const [label = ''] = /^\S.*? {2,}/.exec(line) ?? []
  const [indent = ''] = /^ */.exec(line) ?? []
  const hasRoom = label !== '' && columns - label.length >= leastRoom
  const [first, below] = hasRoom ? [label, ' '.repeat(label.length)] : [indent, `${indent}  `]
  const text = line.slice(first.length).replace(command, words => words.replaceAll(' ', heldSpace))
  const width = columns - below.length
  const lines = wrap(text, width)
    .split('\n')
    .map(part => (part.length > width ? wrapCommand(part.replaceAll(heldSpace, ' '), width) : part))
  return `${first}${lines.join('\n').replaceAll('\n', `\n${below}`)}`.replaceAll(heldSpace, ' ')
}
