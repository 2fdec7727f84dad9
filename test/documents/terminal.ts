import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'

/** A command of a document, and its output on a terminal. */
export interface Shown {
  output: string
  status: number
}

/** A step of a document: a command line, or a file that the reader is told to save. */
export type Step = { command: string } | { file: string; text: string }

export interface Appearance {
  columns?: number
  color?: boolean
  /** The language of the interface. */
  language?: string
}

const root = resolve(import.meta.dirname, '../..')

/** Puts calctl, as it is built, on a PATH of its own, at the time and on the terminal of the documents; returns the folder. */
export function installCalctl(): string {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-on-path-'))
  const command = join(folder, 'calctl')
  const options = `--require "${join(root, 'test/documents/at-a-moment.cjs')}"`
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" ${options} "${join(root, 'bin/calctl.js')}" "$@"\n`)
  chmodSync(command, 0o755)
  return folder
}

/** Erases what is left of it on a line. */
const erased = '\u001b[K'

/** The time of the first command of a document; each later command runs a minute after the previous one. */
const firstMoment = Date.parse('2026-11-21T09:00:00Z')

/**
 * Runs the steps of one document in one bash, in an empty home folder, and returns the output of each command. A command that
 * ends in `&` is a server: the next one runs when it has printed its first line. Addresses in documents stand for
 * ports of this machine: `127.0.0.1:8787` for what `serve` opens by default, `https://example.org` for a site (a document
 * serves it on port 4430), and `https://feeds.example` for a web server of the files in the home folder.
 */
export async function runSteps(path: string, steps: readonly Step[], appearance: Appearance = {}): Promise<Shown[]> {
  const { columns = 100, color = false, language } = appearance
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'calctl-documents-')))
  const home = join(folder, 'home')
  mkdirSync(home)
  const feeds = createServer(({ url = '' }, response) => {
    try {
      response.end(readFileSync(join(home, basename(url))))
    } catch {
      response.writeHead(404).end()
    }
  })
  const ports = { serve: await freePort(), site: await freePort(), feeds: await listen(feeds) }
  const toReal = (text: string) =>
    text
      .replaceAll('https://example.org', `http://127.0.0.1:${ports.site}`)
      .replaceAll('https://feeds.example', `http://127.0.0.1:${ports.feeds}`)
      .replaceAll('--port 4430', `--port ${ports.site}`)
      .replace(/\bcalctl serve\b(?!.*--port)/g, `calctl serve --port ${ports.serve}`)
      .replaceAll('127.0.0.1:8787', `127.0.0.1:${ports.serve}`)
  const toShown = (text: string) =>
    text
      // What a terminal erases, such as a count that has grown.
      .split('\n')
      .map(line => line.split(erased).at(-1))
      .join('\n')
      .replaceAll(home, '~')
      .replaceAll(`http://127.0.0.1:${ports.site}`, 'https://example.org')
      .replaceAll(`127.0.0.1:${ports.site}`, 'example.org')
      .replaceAll(`http://127.0.0.1:${ports.feeds}`, 'https://feeds.example')
      .replaceAll(`127.0.0.1:${ports.serve}`, '127.0.0.1:8787')
      .replace(/\bcalctl serve --port \d+/g, 'calctl serve')
      .replace(/[ \t]+$/gm, '')
      .replace(/\n*$/, '\n')
      .replace(/^\n+$/, '')
  try {
    writeFileSync(join(folder, 'script'), scriptOf(steps, folder, toReal))
    const env = {
      PATH: `${path}:${process.env.PATH}`,
      HOME: home,
      TZ: 'Europe/Madrid',
      CALCTL_SERVE_TOKEN: 'secret',
      LC_ALL: 'C.UTF-8',
      PAGER: '',
      CALCTL_COLUMNS: `${columns}`,
      ...(language && { CALCTL_UI: language }),
      ...(color ? { CLICOLOR_FORCE: '1' } : { NO_COLOR: '1' }),
    }
    await promisify(execFile)('bash', [join(folder, 'script')], { cwd: home, env })
    return steps.flatMap((step, index) =>
      'command' in step
        ? [
            {
              output: toShown(readFileSync(join(folder, `${index}.shown`), 'utf8')),
              status: Number(readFileSync(join(folder, `${index}.status`), 'utf8')),
            },
          ]
        : [],
    )
  } finally {
    feeds.close()
    rmSync(folder, { recursive: true })
  }
}

/** One bash script of all steps. Step N writes to the file `N`, its screen, which is copied when the step is over. */
function scriptOf(steps: readonly Step[], folder: string, toReal: (text: string) => string): string {
  const parts = steps.map((step, index) => {
    if ('file' in step) return `cat > '${step.file}' <<'END OF FILE'\n${toReal(step.text)}END OF FILE`
    const screen = join(folder, `${index}`)
    const now = new Date(firstMoment + index * 60_000).toISOString()
    return [
      `: > '${screen}'; export CALCTL_SCREEN='${screen}' CALCTL_NOW='${now}'; (exit "\${status:-0}")`,
      runOn(screen, toReal(step.command)),
      `cp '${screen}' '${screen}.shown'; echo "$status" > '${screen}.status'`,
    ].join('\n')
  })
  return [...parts, 'kill $(jobs -p) 2> /dev/null', 'wait', 'exit 0', ''].join('\n')
}

function runOn(screen: string, command: string): string {
  if (command.endsWith(' &')) {
    const isReady = `for i in {1..300}; do [ -s '${screen}' ] && break; sleep 0.1; done; sleep 0.2`
    return `${command.slice(0, -2)} > '${screen}' 2>&1 < /dev/null &\n${isReady}\nstatus=0`
  }
  // A stopped server must free its port before the next one starts.
  if (/^kill %\d$/.test(command)) return `${command}; wait '${command.slice(5)}'; status=0`
  return `{ ${command}\n} > '${screen}' 2>&1 < /dev/null\nstatus=$?`
}

const listen = (server: ReturnType<typeof createServer>): Promise<number> =>
  new Promise(done => server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port)))

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  await new Promise(done => server.close(done))
  return port
}
