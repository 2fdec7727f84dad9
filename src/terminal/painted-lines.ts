import { Chalk } from 'chalk'
import type { Globals } from '../globals.ts'
import { sanitize } from '../text/escaping.ts'
import type { Sink, World } from '../world.ts'
import { useColor } from './color-choice.ts'

const chalk = new Chalk({ level: 1 })

/** What lines begin with: the words of errors, and the signs of plans and diffs. */
const beginnings: readonly (readonly [RegExp, (text: string) => string])[] = [
  [/^error:/, chalk.red.bold],
  [/^hint:/, chalk.cyan],
  [/^[+^](?= )/, chalk.green],
  [/^~(?= )/, chalk.yellow],
  [/^[-!](?= )/, chalk.red],
]

/** Writes lines of errors, plans and diffs, with what they begin with in colour. */
export async function writeLines(
  { env }: Pick<World, 'env'>,
  { color }: Globals,
  sink: Sink,
  text: string,
): Promise<void> {
  if (!useColor(color, env, sink.isTTY)) return sink.write(text)
  const lines = sanitize(text).split('\n')
  await sink.write(lines.map(paintLine).join('\n'), 'painted')
}

function paintLine(line: string): string {
  for (const [beginning, paint] of beginnings)
    if (beginning.test(line)) return line.replace(beginning, word => paint(word))
  return line
}
