import type { Answer, Ref } from './context.ts'
import type { Context, Handler } from './dialect.ts'
import { noRoute } from './refusal.ts'
import type { Route, Verb } from './routes.ts'

/** Each verb is loaded when it is first asked for. */
const handlers: Record<Exclude<Verb, 'discovery' | 'doc'>, () => Promise<Handler>> = {
  list: async () => (await import('./list.ts')).list,
  get: async () => (await import('./get.ts')).get,
  create: async () => (await import('./create.ts')).create,
  update: async () => (await import('./update.ts')).update,
  remove: async () => (await import('./remove.ts')).remove,
}

/** Does what a verb says on the resource of a route. */
export async function handle(verb: Verb, context: Context, { resource }: Route, ref: Ref): Promise<Answer> {
  if (verb === 'discovery') return (await import('./discovery.ts')).discovery(context)
  if (verb === 'doc') return (await import('./doc.ts')).doc(context)
  if (!resource) throw noRoute()
  const handler = await handlers[verb]()
  return handler(context, resource, ref)
}
