import { Chalk } from 'chalk'
import { lookupTable } from '../../base/memoize.ts'
import { sanitize } from '../../base/text/escaping.ts'
import type { Globals } from '../globals.ts'
import type { Sink, World } from '../world.ts'
import { useColor } from './streams.ts'

/** Headings are bold; the color of a status shows whether the record is public. */
export interface Paint {
  heading(text: string): string
  /** Colors a cell of the status column. */
  cell(path: string | undefined, text: string): string
  /** The color of a category, which is the same everywhere; no color without one. */
  category(category: { readonly id: number } | undefined, text: string): string
  /** What matters less, such as IDs beside titles. */
  faint(text: string): string
  /** Today. */
  marked(text: string): string
}

/** Returns functions that color text, or return it unchanged without colors. */
export function painter(color: boolean): Paint {
  const chalk = new Chalk({ level: color ? 1 : 0 })
  const status: Readonly<Record<string, (text: string) => string>> = lookupTable({
    publish: chalk.green,
    future: chalk.cyan,
    private: chalk.magenta,
    draft: chalk.yellow,
    pending: chalk.yellow,
    trash: chalk.red,
  })
  // Categories are numbered one after another, so that the first eight of them differ.
  const categories = [
    chalk.cyan,
    chalk.magenta,
    chalk.green,
    chalk.yellow,
    chalk.blue,
    chalk.cyanBright,
    chalk.magentaBright,
    chalk.greenBright,
  ]
  return {
    heading: chalk.bold,
    cell: (path, text) => (path === 'status' ? (status[text]?.(text) ?? text) : text),
    category: (category, text) => (category && categories[category.id % categories.length]?.(text)) || text,
    faint: chalk.dim,
    marked: chalk.inverse,
  }
}

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
