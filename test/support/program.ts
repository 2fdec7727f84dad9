import { createRequire } from 'node:module'
import { join } from 'node:path'
import { loadBundle } from '../../src/base/load-bundle.ts'
import { built } from './built.ts'

type Program = typeof import('../../src/main.ts')

const builtProgram = (dist: string) => loadBundle(dist, createRequire(join(dist, 'start.js')), './main.js') as Program

/** The program that tests run: that of `src`, or the built one, which has a class `Failure` of its own. */
const program = built === undefined ? await import('../../src/main.ts') : builtProgram(built)

export const { run, Failure } = program
export const { openEmbedded } = await program.embedded()
