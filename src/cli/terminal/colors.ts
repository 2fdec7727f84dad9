import type { ChalkInstance } from 'chalk'
import { statusLabel } from '../../contract/post-status.ts'
import { chalkInColor } from './chalk.lib.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Whether to use colors: decided by the options, then the environment, then whether the output is a terminal. */
export function useColor(option: boolean | undefined, env: Env, isTTY: boolean): boolean {
  if (option !== undefined) return option
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true
  return isTTY && env.TERM !== 'dumb' && env.CLICOLOR !== '0'
}

/** Headings are bold; the color of a status shows whether the record is public. */
export interface Paint {
  heading(text: string): string
  /** Colors a cell of the status column. */
  cell(path: string | undefined, text: string): string
  /** The color of a category, which is the same everywhere; no color without one. */
  category(category: { readonly id: number } | undefined, text: string): string
  /** For less important text, such as IDs beside titles. */
  faint(text: string): string
  /** Today. */
  marked(text: string): string
}

const unpainted = (text: string): string => text

const withoutColor: Paint = {
  heading: unpainted,
  cell: (_, text) => text,
  category: (_, text) => text,
  faint: unpainted,
  marked: unpainted,
}

/** Returns functions that color text, or return it unchanged without colors. */
export function painter(color: boolean): Paint {
  if (!color) return withoutColor
  const chalk = chalkInColor()
  const status = statusColors(chalk)
  // Categories have consecutive IDs, so the first eight of them get different colours.
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
    cell: (path, text) => (path === 'status' ? (status.get(text)?.(text) ?? text) : text),
    category: (category, text) => (category && categories[category.id % categories.length]?.(text)) || text,
    faint: chalk.dim,
    marked: chalk.inverse,
  }
}

function statusColors(chalk: ChalkInstance): ReadonlyMap<string, ChalkInstance> {
  const colors = {
    publish: chalk.green,
    future: chalk.cyan,
    private: chalk.magenta,
    draft: chalk.yellow,
    pending: chalk.yellow,
    trash: chalk.red,
  }
  return new Map(Object.entries(colors).map(([name, color]) => [statusLabel(name), color]))
}
