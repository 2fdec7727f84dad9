import { version } from '../package.json'
import { loadBundle } from './base/load-bundle.ts'

/** The entry point of bin/calctl.js. Prints `--version` at once, and loads the bundle for anything else. */
const [first, ...others] = process.argv.slice(2)
if (others.length === 0 && (first === '--version' || first === '-V')) printVersion()
else (loadBundle(__dirname, require, './main.js') as typeof import('./main.ts')).start()

function printVersion(): void {
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 3))
  process.stdout.write(`${version}\n`)
}
