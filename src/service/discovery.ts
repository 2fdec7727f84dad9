import type { Answered, Context } from './context.ts'
import { methodsOf, type Route } from './routes.ts'

/** GET on the namespace. */
export const discovery = ({ namespace }: Context): Answered => ({ status: 200, body: { namespace } })

/** OPTIONS on a route. */
export const describe = ({ namespace }: Context, route: Route): Answered => ({
  status: 200,
  body: { namespace, methods: methodsOf(route) },
})
