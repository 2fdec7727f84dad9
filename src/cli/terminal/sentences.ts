import type { ChalkInstance } from 'chalk'
import { sanitize } from '../../base/text/escaping.ts'
import type { Globals, Sink, World } from '../world.ts'
import { chalkInColor } from './chalk.lib.ts'
import { useColor } from './colors.ts'
import { wrapSentences } from './wrapped-sentences.ts'

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
