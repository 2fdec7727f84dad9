import { Chalk, type ChalkInstance } from 'chalk'

/** Colors whatever chalk itself would decide; a function, so that the library is loaded only where there is color. */
export const chalkInColor = (): ChalkInstance => new Chalk({ level: 1 })
