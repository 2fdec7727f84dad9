import type { Sink } from '../world.ts'

/**
 * Sentences for a terminal of this width: lines break between words, but never within a command, which people copy. Other targets get them
 * unchanged.
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

const command = /(?<=: )calctl [^;()]*/g

function wrapLine(line: string, columns: number, wrap: (text: string, width: number) => string): string {
  const [label = ''] = /^\S.*? {2,}/.exec(line) ?? []
  const [indent = ''] = /^ */.exec(line) ?? []
  const hasRoom = label !== '' && columns - label.length >= leastRoom
  const [first, below] = hasRoom ? [label, ' '.repeat(label.length)] : [indent, `${indent}  `]
  const text = line.slice(first.length).replace(command, words => words.replaceAll(' ', '\u0000'))
  const lines = wrap(text, columns - below.length).split('\n')
  return `${first}${lines.join(`\n${below}`)}`.replaceAll('\u0000', ' ')
}
