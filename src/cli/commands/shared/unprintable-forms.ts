import { type Failure, usage } from '../../../base/failure.ts'
import { listOf } from '../../../base/text/sentence-parts.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Output } from '../../world.ts'

/** The failure for a command that prints no data. */
export const printsNoData = (name: string, form: string): Failure =>
  usage(
    phrase('{name} prints no data, so -o {form} has no effect', { name, form }),
    phrase('leave out -o {form}', { form }),
  )

/** The failure for a format that a command cannot print, with those that it can print, and the command to use instead. */
export function cannotPrint(name: string, form: Output, forms: readonly Output[], command?: string): Failure {
  const hint = command
    ? phrase('use: {command}', { command })
    : (printers()[form] ?? phrase('use {list}', { list: `-o ${listOf(forms, 'or')}` }))
  return usage(phrase('{name} cannot print {form}', { name, form }), hint)
}

/** The commands that print rarely supported formats. */
const printers = (): { readonly [form in Output]?: string } => ({
  xlsx: phrase('write a workbook with: {command}', { command: 'calctl export -o xlsx' }),
  ics: phrase('write a feed of events with: {command}', { command: 'calctl events list --all -o ics' }),
  markdown: phrase('write days with their events with: {command}', { command: 'calctl agenda -o markdown' }),
  html: phrase('write days with their events with: {command}', { command: 'calctl agenda -o html' }),
})

/** The failure for a workbook on a terminal; `command` writes it to a file. */
export const workbookOnTerminal = (command: string): Failure =>
  usage(phrase('a workbook cannot be shown on a terminal'), phrase('write it to a file: {command}', { command }))
