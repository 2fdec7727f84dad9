import type { App } from '../../app.ts'
import { Failure } from '../../failure.ts'
import { shellWord } from '../../text/shell-word.ts'
import { asOption } from '../../text/words.ts'
import type { Typed } from './event-dialog.ts'

/** The same failure with the command line that has what was typed, unless something may have been written already. */
export function withTyped({ world }: App, failure: Failure, typed: Typed): Failure {
  const { kind, message, details } = failure
  if (Object.keys(typed).length === 0 || details.done !== undefined || kind === 'conflict' || kind === 'partial')
    return failure
  const words = [...world.args, ...Object.entries(typed).flatMap(([name, value]) => optionWords(name, value))]
  const line = `what you typed: calctl ${words.map(shellWord).join(' ')}`
  return new Failure(kind, message, { ...details, hint: [details.hint, line].filter(part => part).join('; ') })
}

function optionWords(name: string, value: unknown): string[] {
  if (value === true) return [asOption(name)]
  return [value].flat().flatMap(item => [asOption(name), String(item)])
}
