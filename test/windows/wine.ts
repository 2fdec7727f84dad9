import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Debian's Wine without its 32-bit half. */
export const wine = '/usr/lib/wine/wine64'

export interface Outcome {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

/** A disk C: on which `user` has a home folder, and command lines there, as Windows' own command processor runs them. */
export function windowsMachine(folder: string, user: string) {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    LANG: 'C.UTF-8',
    TZ: 'Europe/Madrid',
    WINEPREFIX: join(folder, 'prefix'),
    WINEDEBUG: '-all',
    // Without its parts for .NET and HTML, which it would fetch.
    WINEDLLOVERRIDES: 'mscoree=;mshtml=',
  }
  const disk = join(env.WINEPREFIX, 'drive_c')
  const home = join(disk, 'Users', user)
  let count = 0
  const start = (args: readonly string[], files: [number | 'ignore', number, number]) =>
    spawnSync(wine, args, { env, stdio: files, timeout: 120_000 })
  function boot() {
    mkdirSync(env.WINEPREFIX, { recursive: true })
    // Stays between commands, each of which would wait 3 s for a new one.
    spawnSync(`${dirname(wine)}/wineserver64`, ['-p'], { env, stdio: 'ignore' })
    for (const args of [
      ['wineboot', '-i'],
      ['winecfg', '/v', 'win10'],
    ])
      spawnSync(wine, args, { env, stdio: 'ignore' })
    mkdirSync(home, { recursive: true })
  }
  const halt = () => spawnSync(`${dirname(wine)}/wineserver64`, ['-k'], { env, stdio: 'ignore' })
  /** Starts what runs until it is stopped; `printed` waits for something that it prints. */
  function running(args: readonly string[], variables: Readonly<Record<string, string>>) {
    const file = join(folder, `running${++count}`)
    const out = openSync(file, 'w')
    const child = spawn(wine, args, { env: { ...env, ...variables }, stdio: ['ignore', out, out] })
    closeSync(out)
    async function printed(pattern: RegExp) {
      while (!pattern.test(readFileSync(file, 'utf8'))) {
        if (child.exitCode !== null) throw new Error(readFileSync(file, 'utf8'))
        await wait(100)
      }
    }
    return { printed, stop: () => child.exitCode === null && child.kill('SIGKILL') && once(child, 'close') }
  }
  /** Runs the lines of a batch file in a console of code page 850; the last one is chained, so that its status is that of the whole. */
  function batch(lines: readonly string[], input = ''): Outcome {
    const profile = `C:\\Users\\${user}`
    const text = [
      '@echo off',
      'chcp 850 >NUL',
      `set USERPROFILE=${profile}`,
      `set APPDATA=${profile}\\AppData\\Roaming`,
      `set LOCALAPPDATA=${profile}\\AppData\\Local`,
      'set PATH=C:\\Program Files\\calctl;%PATH%',
      'cd /d "%USERPROFILE%"',
      ...lines,
    ]
    writeFileSync(join(disk, 'run.cmd'), in850(text.join('\r\n')))
    const [stdin, stdout, stderr] = ['in', 'out', 'err'].map(name => join(folder, name)) as [string, string, string]
    writeFileSync(stdin, input)
    const files: [number, number, number] = [openSync(stdin, 'r'), openSync(stdout, 'w'), openSync(stderr, 'w')]
    const { status } = start(['cmd', '/c', 'C:\\run.cmd'], files)
    for (const file of files) closeSync(file)
    return { status, out: readFileSync(stdout, 'utf8'), err: readFileSync(stderr, 'utf8') }
  }
  return { boot, halt, batch, running, disk, home, env }
}

/**
 * Letters of Catalan and Spanish that code page 850 has in the same places as 437, by which Wine reads a batch file whatever `chcp` says.
 */
const letters: Readonly<Record<string, number>> = Object.fromEntries(
  [
    [0x80, 'Çüé'],
    [0x85, 'à'],
    [0x87, 'ç'],
    [0x8a, 'èï'],
    [0x90, 'É'],
    [0x95, 'ò'],
    [0xa0, 'áíóúñÑªº¿'],
    [0xad, '¡'],
  ].flatMap(([first, row]) => [...String(row)].map((letter, index) => [letter, Number(first) + index])),
)

function in850(text: string): Buffer {
  return Buffer.from(
    [...text].map(letter => {
      const code = letter < '\x80' ? letter.charCodeAt(0) : letters[letter]
      if (code === undefined) throw new Error(`code page 850 has no ${letter}`)
      return code
    }),
  )
}
