import { join } from 'node:path'
import { build } from 'esbuild'

/** Bundles a script of this folder for Node; returns the path of the bundle. */
export async function bundle(name: string, folder: string): Promise<string> {
  const script = join(folder, `${name}.mjs`)
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
  })
  return script
}
