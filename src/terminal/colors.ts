import { Chalk } from 'chalk'
import { lookupTable } from '../memoize.ts'

export { useColor } from './color-choice.ts'

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
