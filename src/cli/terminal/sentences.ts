import type { ChalkInstance } from 'chalk'
import { sanitize } from '../../base/text/escaping.ts'
import type { Globals, Sink, World } from '../world.ts'
import { chalkInColor } from './chalk.lib.ts'
import { useColor } from './colors.ts'

/** The beginnings of lines: the words of errors, and the signs of plans and diffs. */
const beginnings: readonly (readonly [RegExp, (chalk: ChalkInstance) => ChalkInstance])[] = [
  [/^error:/, chalk => chalk.red.bold],
  [/^hint:/, chalk => chalk.cyan],
  [/^[+^](?= )/, chalk => chalk.green],
  [/^~(?= )/, chalk => chalk.yellow],
  [/^[-!](?= )/, chalk => chalk.red],
]

/** What decides about colours. */
interface Colored {
  readonly world: Pick<World, 'env'>
  readonly globals: Globals
}

/** Writes lines of plans and diffs as `writeText` does, one after another. */
export async function writeLines(app: Colored, lines: Iterable<string>, sink: Sink): Promise<void> {
  for (const line of lines) await writeText(app, `${line}\n`, sink)
}

/** Writes a text with errors or lines of plans and diffs, whose beginnings are coloured. */
export async function writeText({ world, globals }: Colored, text: string, sink: Sink): Promise<void> {
  const wrapped = await wrapSentences(text, sink)
  if (!useColor(globals.color, world.env, sink.isTTY)) return sink.write(wrapped)
  const lines = sanitize(wrapped).split('\n')
  await sink.write(lines.map(paintLine).join('\n'), 'painted')
}

function paintLine(line: string): string {
  const found = beginnings.find(([beginning]) => beginning.test(line))
  if (!found) return line
  const [beginning, color] = found
  return line.replace(beginning, word => color(chalkInColor())(word))
}

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
