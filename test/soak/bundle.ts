import { join } from 'node:path'
import { build } from 'esbuild'

/** Makes a script of this folder runnable by Node; gives its path in the other folder. */
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
