// Runs on `npm install`, `npx .` and `npm pack`: builds dist, and first installs the build's dependencies if there is no node_modules.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * Settings of the outer npm command, which it passes on through the environment. `--global` or `--prefix` would make the inner
 * install write elsewhere; another prefix also names a global configuration file that may not exist.
 */
const outerSettings = /^npm_config_(global|prefix|location|local_prefix|dry_run|omit|include|production)$/i
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name, value]) => !outerSettings.test(name) && !(/^npm_config_globalconfig$/i.test(name) && !existsSync(value)),
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
run(process.execPath, 'scripts/build.js')
