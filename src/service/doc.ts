import type { Answered, Context } from './context.ts'

/** GET on the description of the API. */
export const doc = ({ namespace }: Context): Answered => ({ status: 200, body: { openapi: '3.1.0', namespace } })
