import { closeSync, openSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import type { World } from '../world.ts'

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
