import type { Client } from './client/client.ts'
import type { Connection } from './connect.ts'
import type { Answer } from './contract/resource.ts'
import { Failure } from './failure.ts'
import type { Globals, Output } from './globals.ts'
import { isOne } from './terminal/form.ts'
import type { PrintOptions } from './terminal/print.ts'
import type { Sink, World } from './world.ts'

/** All that a command may touch. What is costly is a function, so that `--help` reads no file. */
export interface App {
  readonly world: World
  readonly globals: Globals
  /** The command that runs, by its name: `events update`. */
  readonly command: string
  /** The form of the answer that was asked for; undefined for the default. */
  readonly output: Output | undefined
  /** The exit status of a command that ends without a failure. */
  status: number
  /**
   * The client of the profile in force; opened once, closed by `close`. Throws `settings` for a calendar file that is not there,
   * unless it is to plan writes, which make it.
   */
  client(options?: { toPlan?: boolean }): Promise<Client>
  /**
   * The client, for a command that writes; throws `declined` where the profile is protected and was not confirmed by name.
   * In a dry run it reads, and throws a `Preview` in place of a write.
   */
  writer(options?: { dryRun?: boolean | undefined }): Promise<Client>
  /** Whether a person can be asked. */
  readonly canAsk: boolean
  /** Prints records in the form that the global options say. Of records that `wereWritten` the fields were checked before. */
  print(
    shape: PrintOptions['shape'],
    records: PrintOptions['records'],
    options?: Pick<PrintOptions, 'total'> & { wereWritten?: boolean },
  ): Promise<void>
  /** Prints what is not a record of a resource: JSON, NDJSON or YAML. */
  printValue(value: unknown): Promise<void>
  /** A line on stderr, unless `-q`. */
  notice(text: string): Promise<void>
  close(): Promise<void>
}

/** Makes the app that commands are given. The options and the command are asked for when they are needed, after parsing. */
export function createApp(world: World, readGlobals: () => Globals, readCommand = () => ''): App {
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
    get command() {
      return readCommand()
    },
    get output() {
      return app.globals.json ? 'json' : app.globals.output
    },
    status: 0,
    async client({ toPlan = false } = {}) {
      const { client, hold, absence } = await connection()
      if (toPlan) hold()
      const absent = toPlan ? undefined : absence()
      if (absent) throw absent
      return client
    },
    async writer({ dryRun = false } = {}) {
      const { client, rehearsing, hold, profile, isProtected } = await connection()
      hold()
      if (dryRun) return rehearsing()
      if (isProtected && app.globals.confirm !== profile)
        throw new Failure('declined', `the profile ${profile} is protected`, {
          hint: `to write to it add: --confirm ${profile}`,
        })
      return client
    },
    get canAsk() {
      return world.stdin.isTTY === true && world.stderr.isTTY && app.globals.input !== false && !app.globals.yes
    },
    async print(shape, records, { total, wereWritten = false } = {}) {
      const { output } = app
      const { fields, color, plain } = app.globals
      if (output === 'ics') {
        const { writeICalendar } = await import('./files/icalendar/write-icalendar.ts')
        const { site } = await app.client()
        const events = (isOne(records) ? [records] : records) as AsyncIterable<Answer>
        for await (const text of writeICalendar(events, { site, now: world.now() })) await world.stdout.write(text)
        return
      }
      const { printRecords } = await import('./terminal/print.ts')
      const checkFields = fields && !wereWritten && (await import('./terminal/unknown-fields.ts')).withKnownFields
      await printRecords({
        shape,
        records: checkFields ? await checkFields(shape, records, fields) : records,
        output,
        fields,
        total,
        color,
        plain,
        timeZone: world.timeZone,
        env: world.env,
        stdout: world.stdout,
      })
    },
    async printValue(value) {
      const { printValue } = await import('./terminal/print.ts')
      const { output } = app
      const form = output === 'yaml' || output === 'ndjson' ? output : 'json'
      await printValue(value, { output: form, fields: app.globals.fields, stdout: world.stdout })
    },
    async notice(text) {
      if (app.globals.quiet) return
      await writeMessage(world.stderr, `${text}\n`)
    },
    async close() {
      await (await opening?.catch(() => undefined))?.close()
    },
  }
  return app
}

/** Writes text that may quote what came from elsewhere. */
export async function writeMessage(sink: Sink, text: string): Promise<void> {
  if (!sink.isTTY) return sink.write(text)
  const { sanitize } = await import('./text/sanitize.ts')
  await sink.write(sanitize(text))
}
