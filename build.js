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
  plugins: [{ name: 'leave out HTTP/2', setup: leaveOutHttp2 }],
  // CommonJS dependencies call `require` for Node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
})

/** undici loads node:http2 with its first client, 9 ms for what nobody asks it for. */
function leaveOutHttp2({ onLoad }) {
  onLoad({ filter: /undici.lib.dispatcher.client-h2\.js$/ }, () => ({ contents: 'module.exports = {}' }))
}
