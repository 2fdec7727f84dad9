import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startServe } from '../support/start-serve.ts'
import { testTime, worldOf } from '../support/world.ts'

/**
 * The demo calendar as a site of The Events Calendar with an address for each language, and a command line whose profile knows them.
 * `requests` gives the lines of the server's log since it was called last.
 */
export async function townInThreeLanguages(options = '--quirks --open') {
  const server = await startServe(`--demo --port 0 --base-path /wp-json --namespace tribe/events/v1 ${options}`, {
    now: testTime,
  })
  if (!('url' in server)) throw new Error(server.err)
  const folder = mkdtempSync(join(tmpdir(), 'calctl-'))
  onTestFinished(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const world = {
    env: {
      HOME: folder,
      XDG_STATE_HOME: join(folder, 'state'),
      XDG_DATA_HOME: join(folder, 'data'),
      XDG_CACHE_HOME: join(folder, 'cache'),
      CALCTL_PASSWORD: 'secret',
    },
  }
  const calctl = worldOf(world)
  const { origin } = new URL(server.url)
  await calctl(
    `profiles add town --base-url ${origin}/wp-json --base-url-for en=${origin}/en/wp-json --base-url-for es=${origin}/es/wp-json --namespace tribe/events/v1 --user admin --secret env:CALCTL_PASSWORD`,
  )
  await calctl('profiles use town')
  const json = async (line: string) => {
    const { status, out, err } = await calctl(`${line} --json -q`)
    if (status !== 0) throw new Error(`${line}: status ${status}\n${err}`)
    return JSON.parse(out)
  }
  /** A command line at a terminal, where these keys are typed. */
  const atTerminal = (keys: readonly string[]) => worldOf({ ...world, terminal: 120, keys })
  return { calctl, json, server, folder, atTerminal }
}
