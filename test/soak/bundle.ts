import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'

/** Makes a script of this folder runnable by Node; gives its path, in a folder that is gone when this process ends. */
export async function bundle(name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-soak-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const script = join(folder, `${name}.mjs`)
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: {
      js: "import { createRequire as __require } from 'node:module'; const require = __require(import.meta.url);",
    },
  })
  return script
}
