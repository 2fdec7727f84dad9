import { Chalk, type ChalkInstance } from 'chalk'

/** Adds colours, whatever chalk itself would decide; a function, so that the library is loaded only if there are colours. */
export const chalkInColor = (): ChalkInstance => new Chalk({ level: 1 })
