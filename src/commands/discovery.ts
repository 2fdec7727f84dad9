import type { Command } from 'commander'
import type { App } from '../app.ts'
import type { Client } from '../client/client.ts'
import { Failure } from '../failure.ts'
import type { Output } from '../globals.ts'

/** calctl doc: the service's own OpenAPI document. */
export function doc(command: Command, app: App): void {
  command.action(() => printDocument(app, 'doc', client => client.doc()))
}

/** calctl routes: what the service says it can do. */
export function routes(command: Command, app: App): void {
  command
    .option('--context <context>', 'view, or what the service knows besides')
    .action((options: { context?: string }) => printDocument(app, 'routes', client => client.routes(options)))
}

const forms: readonly (Output | undefined)[] = [undefined, 'json', 'ndjson', 'yaml']

async function printDocument(app: App, name: string, read: (client: Client) => Promise<unknown>): Promise<void> {
  if (!forms.includes(app.output))
    throw new Failure('usage', `${name} is one document: -o json or yaml`, {
      hint: `for example: calctl ${name} -o yaml`,
    })
  const document = await read(await app.client())
  const { narrow, wanted } = await import('../terminal/paths.ts')
  await app.printValue(narrow(document, wanted(app.globals.fields ?? [])))
}
