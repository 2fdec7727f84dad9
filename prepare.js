// Runs on `npm install`, `npx .` and `npm pack`: builds dist, after installing what the build needs where nothing is installed.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * npm's own settings for the outer command (`--global`, `--prefix`) would send the inner install elsewhere, and with another
 * prefix comes a global configuration that is not there.
 */
const outer = /^npm_config_(global|prefix|location|local_prefix|dry_run|omit|include|production)$/i
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name, value]) => !outer.test(name) && !(/^npm_config_globalconfig$/i.test(name) && !existsSync(value)),
  ),
)

const run = (command, ...args) => {
  const { status } = spawnSync(command, args, {
    stdio: ['ignore', 2, 2],
    env: environment,
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}

if (!existsSync('node_modules/esbuild'))
  run('npm', 'ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund')
run(process.execPath, 'build.js')
