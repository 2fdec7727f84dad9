import type { Command } from 'commander'
import type { App } from '../app.ts'
import type { Values } from '../client/client.ts'
import { type CarryOptions, carryOptions, carryOut } from './bulk/carry-out.ts'
import { type FileOptions, fileOptions, planFiles } from './bulk/files.ts'

/** calctl apply <file...>: records of files, created or updated. */
export function apply(command: Command, app: App): void {
  command.argument('<file...>', 'CSV, TSV, JSON, NDJSON, YAML or iCalendar; a path, an address, or - for stdin')
  carryOptions(fileOptions(command))
  command.action(async (files: string[], options: FileOptions & CarryOptions & Values) => {
    const [file = '', ...others] = files
    const { checkOrigin, savedPlan } = await import('./bulk/saved.ts')
    const saved = others.length === 0 ? await savedPlan(app, file) : undefined
    if (!saved) return carryOut(app, await planFiles(app, files, options), options)
    const { originOf } = await import('../bulk/origin.ts')
    checkOrigin(saved, originOf(await app.client({ toPlan: true })))
    return carryOut(app, saved, options, { kept: true })
  })
}
