import type { Command } from 'commander'
import type { App } from '../app.ts'
import { declareOutput, documentOutput } from './shared/output-forms.ts'

/** calctl doc: prints the OpenAPI document of the service. */
export function doc(command: Command, app: App): void {
  declareOutput(command, documentOutput).action(async () => app.printValue(await (await app.client()).doc()))
}

/** calctl routes: prints the routes that the service lists. */
export function routes(command: Command, app: App): void {
  declareOutput(command, documentOutput)
    .option('--context <context>', 'Context of the response: view (default), or another one that the service supports')
    .action(async (options: { context?: string }) => app.printValue(await (await app.client()).routes(options)))
}
