import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { built } from '../support/built.ts'
import { bundlesFolder } from '../support/bundles-folder.ts'

/** Scripts that do what the built program does when it starts. */
const starting = ['calctl', 'server']

/** Bundles a script of this folder for Node, once for all tests; returns the path of the bundle. */
export async function bundle(name: string): Promise<string> {
  if (built !== undefined && starting.includes(name)) return join(built, 'start.js')
  const script = join(bundlesFolder(), `${name}.mjs`)
  if (existsSync(script)) return script
  const own = `${script}.${process.pid}`
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile: own,
    bundle: true,
    platform: 'node',
    format: 'esm',
    // Of a library that names its temporary files by it.
    define: { __filename: 'import.meta.filename' },
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
  })
  renameSync(own, script)
  return script
}
