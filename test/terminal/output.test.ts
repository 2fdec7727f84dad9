import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundle } from '../soak/bundle.ts'
import { type HostileSite, startHostileSite } from '../soak/hostile-service.ts'
import { dangerousIn, hostileText } from '../soak/hostile-texts.ts'
import { onTerminal } from '../soak/pty.ts'
import { skipped } from '../support/skipped.ts'
import { worldOf } from '../support/world.ts'
import { type CommandLine, commandLines } from './command-lines.ts'

const folder = mkdtempSync(join(tmpdir(), 'calctl-hostile-'))
const sites: HostileSite[] = []
beforeAll(async () => {
  sites.push(await startHostileSite(true), await startHostileSite(false))
  writeFileSync(join(folder, 'hostile.csv'), `resource,name,description\ntags,"Jazz${hostileText}","${hostileText}"\n`)
})
afterAll(async () => {
  for (const site of sites) await site.close()
  rmSync(folder, { recursive: true })
})

const environment = ({ url }: HostileSite, home: string): Record<string, string> => ({
  XDG_STATE_HOME: join(folder, home),
  XDG_CACHE_HOME: join(folder, home),
  XDG_CONFIG_HOME: join(folder, home),
  XDG_DATA_HOME: join(folder, home),
  NO_COLOR: '1',
  CALCTL_BASE_URL: url,
  CALCTL_NAMESPACE: 'tribe/events/v1',
  CALCTL_USER: 'editor',
  CALCTL_PASSWORD: 'secret',
})

/** Runs commands on a terminal. */
const terminalOf = (site: HostileSite, home: string) =>
  worldOf({
    cwd: folder,
    env: environment(site, home),
    terminal: 100,
    now: () => new Date(),
    stopping: AbortSignal.timeout(200),
  })

/** `npm run soak` runs each command in each of its forms. */
const isSoak = process.env.SOAK_ROUNDS !== undefined

const lines = commandLines()

/**
 * A command writes a text of the site in each form of output that it has, and its errors as text and JSON. Commands share what
 * prints a form: outside of the soak each form has its turn.
 */
function variants({ words, forms }: CommandLine): string[][] {
  const some = isSoak ? forms : forms.filter((_, index) => index === words.join().length % forms.length)
  return [[], ...some.map(form => ['-o', form])].map(more => [...words, '--yes', '--retries', '0', ...more])
}

test.each(lines)('$name prints nothing that a terminal obeys', { timeout: 60_000 }, async line => {
  for (const [index, site] of sites.entries()) {
    const run = terminalOf(site, `home-${index}`)
    // These find something to print only after a run.
    if (/^(runs|undo|redo|history)|history$/.test(line.name))
      await run(['apply', 'hostile.csv', '--yes', '--retries', '0'])
    // The second site fails most commands in the same way, whatever they would print.
    for (const words of variants(line).slice(0, index === 0 || isSoak ? undefined : 1)) {
      const { out, err } = await run(words)
      // The line that shows progress is cleared by calctl itself.
      const messages = err.replaceAll('\r\u001b[K', '')
      expect({ words, out: dangerousIn(out), err: dangerousIn(messages) }).toEqual({ words, out: [], err: [] })
    }
  }
})

const hasTerminals = spawnSync('python3', ['-c', 'import pty']).status === 0

test.skipIf(!hasTerminals)(
  `on a real terminal no command of the whole program prints what it obeys${skipped(!hasTerminals, 'python3 is not installed')}`,
  { timeout: 600_000 },
  async () => {
    const [site] = sites as [HostileSite]
    const script = await bundle('command-lines-on-terminal')
    // What differs from the tests above is the terminal, not the command.
    const each = isSoak
      ? lines.flatMap(variants)
      : lines
          .filter(({ name }) => /^(events (list|get|update|history)|runs|serve)/.test(name))
          .map(line => variants(line)[0] ?? [])
    const isServer = ([first]: readonly string[]) => first === 'serve'
    const inOrder = [...each.filter(words => !isServer(words)), ...each.filter(isServer).slice(0, 1)]
    writeFileSync(join(folder, 'lines.json'), JSON.stringify(inOrder))
    const sent = await onTerminal(`'${process.execPath}' '${script}' lines.json`, {
      cwd: folder,
      env: { ...process.env, ...environment(site, 'home-pty') },
    })
    expect(sent.split('\n').length).toBeGreaterThan(each.length)
    expect(sent).toContain('Concert')
    expect(dangerousIn(sent.replaceAll('\r\u001b[K', ''))).toEqual([])
  },
)
