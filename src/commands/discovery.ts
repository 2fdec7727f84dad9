import type { Command } from 'commander'
import type { App } from '../app.ts'

/** calctl doc: the service's own OpenAPI document. */
export function doc(parent: Command, app: App): void {
  parent
    .command('doc')
    .description('the OpenAPI document of the service')
    .action(async () => {
      const client = await app.client()
      await app.printValue(await client.doc())
    })
}

/** calctl routes: what the service says it can do. */
export function routes(parent: Command, app: App): void {
  parent
    .command('routes')
    .description('the routes of the service, with methods and arguments')
    .option('--context <context>', 'view, or what the service knows besides')
    .action(async (options: { context?: string }) => {
      const client = await app.client()
      await app.printValue(await client.routes(options))
    })
}
