import type { Command } from 'commander'
import type { App } from '../app.ts'
import { type CarryOptions, carryOptions } from './bulk/carry-out.ts'
import { type FileOptions, fileOptions } from './bulk/files.ts'

/** calctl apply <file...>: records of files, created or updated. */
export function apply(parent: Command, app: App): void {
  const command = parent
    .command('apply')
    .description('make the calendar have records as files have them')
    .argument('<file...>', 'CSV, TSV, JSON, NDJSON, YAML or iCalendar; a path, an address, or - for stdin')
  carryOptions(fileOptions(command))
  command.action(async (files: string[], options: FileOptions & CarryOptions) => {
    const { planFiles } = await import('./bulk/files.ts')
    const { carryOut } = await import('./bulk/carry-out.ts')
    await carryOut(app, await planFiles(app, files, options), options)
  })
}
