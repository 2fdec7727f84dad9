import type { Readable } from 'node:stream'
import type { Client } from './client/client.ts'
import type { Connection } from './connect.ts'
import type { Transport } from './contract/exchange.ts'
import type { Answer, Resource } from './contract/resource.ts'
import type { Language } from './contract/words.ts'
import { Failure } from './failure.ts'

/** Where text goes. `write` resolves when more may be written. */
export interface Sink {
  write(text: string | Uint8Array): Promise<void>
  readonly isTTY: boolean
  /** Width in columns; undefined where it has none. */
  readonly columns: number | undefined
}

/** Everything outside the program, made once in `main.ts` and faked whole in tests. */
export interface World {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly platform: NodeJS.Platform
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Sink
  readonly stderr: Sink
  now(): Date
  /** Aborted when the process is asked to stop (SIGINT, SIGTERM); listening begins with the first call. */
  stopping(): AbortSignal
  /** Opens a calendar in this process. */
  openCalendar(place: CalendarPlace): Promise<OpenCalendar>
}

/** A calendar that needs no network: a JSON file, or the demo in memory. */
export type CalendarPlace = { readonly file: string } | { readonly demo: true }

export interface OpenCalendar {
  readonly transport: Transport
  close(): Promise<void>
}

export const outputs = ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml', 'ids', 'count'] as const

export type Output = (typeof outputs)[number]

/** The options that every command takes. Unset is undefined. */
export interface Globals {
  readonly profile?: string
  readonly baseUrl?: string
  readonly lang?: Language
  readonly namespace?: string
  readonly demo?: true
  readonly output?: Output
  readonly json?: true
  readonly fields?: readonly string[]
  readonly quiet?: true
  readonly yes?: true
  /** False with `--no-input`: never ask. */
  readonly input?: boolean
  /** Name of the protected profile that may be written to. */
  readonly confirm?: string
  /** In ms. */
  readonly timeout?: number
  readonly color?: boolean
}

/** How records are printed, beyond what the global options say. */
export interface Shown {
  /** The service's own total, for `-o count`; a function where it is known only once the records are read. */
  readonly total?: number | (() => number)
}

/** All that a command may touch. What is costly is a function, so that `--help` reads no file. */
export interface App {
  readonly world: World
  readonly globals: Globals
  /** The exit status of a command that ends without a failure. */
  status: number
  /** The client of the profile in force; opened once, closed by `close`. */
  client(): Promise<Client>
  /** The client, for a command that writes; throws `declined` where the profile is protected and was not confirmed by name. */
  writer(): Promise<Client>
  /** Whether a person can be asked. */
  readonly canAsk: boolean
  print(resource: Resource, records: Answer | readonly Answer[] | AsyncIterable<Answer>, shown?: Shown): Promise<void>
  /** Prints what is not a record of a resource: JSON or YAML. */
  printValue(value: unknown): Promise<void>
  /** A line on stderr, unless `-q`. */
  notice(text: string): Promise<void>
  close(): Promise<void>
}

/** Makes the app that commands are given. `readGlobals` is asked when a value is needed, after parsing. */
export function createApp(world: World, readGlobals: () => Globals): App {
  let opening: Promise<Connection> | undefined
  const connection = async () => {
    const { connect } = await import('./connect.ts')
    opening ??= connect(world, app.globals, app.notice)
    return opening
  }
  const app: App = {
    world,
    get globals() {
      return readGlobals()
    },
    status: 0,
    client: async () => (await connection()).client,
    async writer() {
      const { client, profile, isProtected } = await connection()
      if (isProtected && app.globals.confirm !== profile)
        throw new Failure('declined', `the profile ${profile} is protected`, {
          hint: `to write to it add: --confirm ${profile}`,
        })
      return client
    },
    get canAsk() {
      return world.stdin.isTTY === true && world.stderr.isTTY && app.globals.input !== false && !app.globals.yes
    },
    async print(resource, records, shown = {}) {
      const { printRecords } = await import('./terminal/print.ts')
      const { output, json, fields, color } = app.globals
      await printRecords({
        resource,
        records,
        output: json ? 'json' : output,
        fields,
        total: shown.total,
        color,
        env: world.env,
        stdout: world.stdout,
      })
    },
    async printValue(value) {
      const { output } = app.globals
      const { renderValue } = await import('./terminal/value.ts')
      await world.stdout.write(await renderValue(value, output === 'yaml' ? 'yaml' : 'json'))
    },
    async notice(text) {
      if (!app.globals.quiet) await world.stderr.write(`${text}\n`)
    },
    async close() {
      await (await opening?.catch(() => undefined))?.close()
    },
  }
  return app
}
