import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { shellScripts } from '../../src/cli/commands/completion/shell-scripts.ts'
import { skipped } from '../support/skipped.ts'

// These start the built calctl in real shells. The packages zsh, fish and bsdutils (for `script`) have them.

const isInstalled = (tool: string): boolean => spawnSync('which', [tool]).status === 0

const lacking = (...tools: string[]) => tools.filter(tool => !isInstalled(tool))

const folder = mkdtempSync(join(tmpdir(), 'tab-shells-'))
const bin = join(folder, 'bin')
mkdirSync(bin)
const calctl = resolve(import.meta.dirname, '../../bin/calctl.js')
writeFileSync(join(bin, 'calctl'), `#!/bin/sh\nexec "${process.execPath}" "${calctl}" "$@"\n`)
chmodSync(join(bin, 'calctl'), 0o755)
for (const [shell, script] of Object.entries(shellScripts)) writeFileSync(join(folder, `calctl.${shell}`), script)
writeFileSync(join(folder, 'season.csv'), '')

const env = {
  PATH: `${bin}:${process.env.PATH}`,
  HOME: folder,
  TERM: 'xterm',
  LC_ALL: 'C.UTF-8',
  XDG_CACHE_HOME: join(folder, 'cache'),
  XDG_CONFIG_HOME: join(folder, 'config'),
  XDG_DATA_HOME: join(folder, 'data'),
}

/** A shell at a terminal. `type` sends keys, and resolves when the screen has shown a text since then. */
function terminal(command: string) {
  const shell = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let screen = ''
  shell.stdout.on('data', data => {
    screen += data
  })
  return {
    async type(keys: string, expected: string) {
      screen = ''
      shell.stdin.write(keys)
      await expect.poll(() => screen, { timeout: 30_000 }).toContain(expected)
    },
    end: () => shell.kill(),
  }
}

const inShell = (shell: string) => {
  const missing = lacking(shell, 'script')
  const why = skipped(missing.length > 0, `${missing.join(' and ')} not installed`)
  return { isMissing: missing.length > 0, why }
}

const interactive = { bash: 'bash --norc --noprofile -i', zsh: 'zsh -f -i' } as const

for (const shell of ['bash', 'zsh'] as const) {
  const { isMissing, why } = inShell(shell)
  test.skipIf(isMissing)(
    `Tab completes commands, values and files in ${shell}${why}`,
    { timeout: 120_000 },
    async () => {
      const { type, end } = terminal(interactive[shell])
      try {
        const setUp = shell === 'zsh' ? 'autoload -Uz compinit && compinit -u; ' : ''
        await type(`${setUp}. ./calctl.${shell}; PS1="ready> "; echo "set "up\r`, 'set up')
        await type('calctl events lis\t', 'events list')
        await type('--status=dr\t', '--status=draft')
        await type('\u0015calctl apply sea\t', 'season.csv')
        await type('\u0015calctl events list --where start_d\t', 'start_date')
      } finally {
        end()
      }
    },
  )
}

const fish = inShell('fish')
test.skipIf(fish.isMissing)(
  `Tab completes commands, values, records and files in fish${fish.why}`,
  { timeout: 60_000 },
  () => {
    const completions = (line: string) => {
      const { stdout, stderr } = spawnSync('fish', ['-c', `source calctl.fish; complete -C '${line}'`], {
        cwd: folder,
        env,
        encoding: 'utf8',
      })
      expect(stderr).toBe('')
      return stdout.split('\n').filter(text => text !== '')
    }
    expect(completions('calctl events restor')).toEqual(['restore\tRestore events from the trash'])
    expect(completions('calctl events list --status=dr')).toEqual(['--status=draft'])
    expect(completions('calctl apply sea')).toEqual(['season.csv'])
    expect(completions('calctl events list --search "a b" --outp')).toEqual(['--output\tOutput format'])
  },
)

/** What the script for bash offers at the end of a line. */
function offeredInBash(line: string, options: string) {
  const cursor = { COMP_LINE: line, COMP_POINT: `${line.length}`, COMP_TYPE: '9' }
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--norc', options, '. ./calctl.bash; _calctl; declare -p COMPREPLY; ls'],
    {
      cwd: folder,
      env: { ...env, ...cursor },
      encoding: 'utf8',
    },
  )
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}

test('the script for bash evaluates nothing of the line', () => {
  const shown = offeredInBash('calctl events get "$(touch evaluated)" --outp', '-c')
  expect(shown).toContain('="--output")')
  expect(shown).not.toContain('evaluated')
})

test('the script for bash works with set -u and set -e', () => {
  expect(offeredInBash('calctl events lis', '-euc')).toContain('="list")')
  expect(offeredInBash('calctl frobnicate ', '-euc')).toContain('COMPREPLY=()')
  expect(offeredInBash('calctl events list --where venue.cit', '-euc')).toContain('="venue.city")')
})
