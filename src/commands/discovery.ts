import type { Command } from 'commander'
import type { App } from '../app.ts'
import { answers, oneDocument } from './shared/answers.ts'

/** calctl doc: the service's own OpenAPI document. */
export function doc(command: Command, app: App): void {
  answers(command, oneDocument).action(async () => app.printValue(await (await app.client()).doc()))
}

/** calctl routes: what the service says it can do. */
export function routes(command: Command, app: App): void {
  answers(command, oneDocument)
    .option('--context <context>', 'view (default), or another context that the service knows')
    .action(async (options: { context?: string }) => app.printValue(await (await app.client()).routes(options)))
}
