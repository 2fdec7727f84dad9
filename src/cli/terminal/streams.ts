import { closeSync, openSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import type { ChalkInstance } from 'chalk'
import { escapeControls, sanitize, sanitizePainted } from '../../base/text/escaping.ts'
import { createTurns } from '../../base/turns.ts'
import { statusLabel } from '../../contract/post-status.ts'
import type { Sink, TextForm, World } from '../world.ts'
import { chalkInColor } from './chalk.lib.ts'

/** Where a sink writes to. */
interface Target extends Pick<Sink, 'isTTY' | 'columns' | 'rows'> {
  write(text: string | Uint8Array): Promise<void>
}

const harmless: Readonly<Record<TextForm, (text: string) => string>> = {
  text: sanitize,
  json: escapeControls,
  painted: sanitizePainted,
}

/**
 * The only way to a stream: a terminal never gets a character that it would obey, hide or reorder, whoever wrote the text. Files and pipes
 * get every byte. Writing waits for nothing if the stream takes everything, so that signals have their turn here.
 */
export const safeSink = ({ write, isTTY, columns, rows }: Target): Sink => {
  const turn = createTurns()
  return {
    async write(text, form = 'text') {
      await write(isTTY ? harmless[form](asText(text)) : text)
      await turn()
    },
    isTTY,
    columns,
    rows,
  }
}

const asText = (text: string | Uint8Array): string => (typeof text === 'string' ? text : Buffer.from(text).toString())

/**
 * Where answers are typed: on stdin or, if stdin was a pipe with records, on the terminal itself. A pipe from which nothing was read may
 * belong to a script, which answers no questions.
 */
export function keyboardOf(world: Pick<World, 'stdin' | 'openKeyboard' | 'hasReadStdin'>): World['stdin'] | undefined {
  if (world.stdin.isTTY) return world.stdin
  return world.hasReadStdin ? world.openKeyboard?.() : undefined
}

let keyboard: ReadStream | undefined

/** The terminal that this process was started from, whatever its stdin is; undefined if there is none. */
export function openKeyboard(platform: NodeJS.Platform): ReadStream | undefined {
  if (keyboard) return keyboard
  let file: number | undefined
  try {
    file = openSync(platform === 'win32' ? String.raw`\\.\CONIN$` : '/dev/tty', 'r+')
    keyboard = new ReadStream(file)
    return keyboard
  } catch {
    if (file !== undefined) closeSync(file)
    return undefined
  }
}

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
