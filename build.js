// Bundles src into dist: one small entry, and a chunk for everything that is loaded late.
import { rm } from 'node:fs/promises'
import { build } from 'esbuild'

await rm('dist', { recursive: true, force: true })
await build({
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  chunkNames: 'chunk-[name]-[hash]',
  legalComments: 'linked',
  logLevel: 'warning',
  plugins: [{ name: 'leave out what is unused', setup: leaveOutUnused }],
  // CommonJS dependencies call `require` for Node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
})

/** What dependencies load and never use here: undici HTTP/2, 9 ms; conf a checker for schemas that we do not give it, 20 ms. */
function leaveOutUnused({ onLoad }) {
  const unused = /undici.lib.dispatcher.client-h2\.js$|node_modules.ajv(-formats)?.dist.(2020|index)\.js$/
  onLoad({ filter: unused }, () => ({ contents: 'module.exports = {}' }))
}
