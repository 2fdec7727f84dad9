import { closeSync, openSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import { escapeControls, sanitize, sanitizePainted } from '../../base/text/escaping.ts'
import { createTurns } from '../../base/turns.ts'
import type { Sink, TextForm, World } from '../world.ts'

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
