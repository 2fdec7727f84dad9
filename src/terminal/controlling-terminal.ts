import { closeSync, openSync } from 'node:fs'
import { ReadStream } from 'node:tty'

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
