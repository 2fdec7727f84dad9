/**
 * How a command prints: in the form that the global options ask for, through --jq and a pager, or as a calendar file.
 * Records or a value come in; what the terminal gets is made in `terminal/`, loaded when it is needed.
 */
import type { Client } from './client/client.ts'
import type { Connection } from './connect.ts'
import type { Answer } from './contract/resource.ts'
import type { Globals, Output } from './globals.ts'
import { isOne } from './terminal/form.ts'
import { type Print, takesEach } from './terminal/json-filter.ts'
import { type PrintOptions, printRecords, printValue } from './terminal/print.ts'
import type { World } from './world.ts'

/** What a command prints with. */
export interface Printing {
  /** The requested form of output; undefined for the default. */
  readonly output: Output | undefined
  /** Prints records in the form that the global options ask for. With `wereWritten`, --fields has been checked before. */
  print(
    shape: PrintOptions['shape'],
    records: PrintOptions['records'],
    options?: Pick<PrintOptions, 'total'> & { wereWritten?: boolean },
  ): Promise<void>
  /** Prints a value that is not a record: as JSON, NDJSON or YAML. */
  printValue(value: unknown): Promise<void>
  /** Prints with a pager in between if the output turns out to be longer than the terminal. */
  page(print: Print): Promise<void>
  /** Prints JSON that is written part by part, as --jq makes it. */
  writeJson(print: Print): Promise<void>
}

interface PrintingContext {
  readonly world: World
  readGlobals(): Globals
  /** The connection, if there is one already. */
  connection(): Promise<Connection> | undefined
  client(): Promise<Client>
  notice(text: string): Promise<void>
}

/** The printing of a command; options are read when needed, because commander parses them later. */
export function createPrinting({ world, readGlobals, connection, client, notice }: PrintingContext): Printing {
  /** Records that a person looks at are remembered for the Tab key. */
  const notedRecords = async (shape: PrintOptions['shape'], records: PrintOptions['records']) => {
    const opening = connection()
    if (!world.stderr.isTTY || !opening) return { records, remember: async () => {} }
    const { refsKey } = await opening
    const { noteRecords } = await import('./profiles/known-refs.ts')
    return noteRecords(world, refsKey, shape, records)
  }
  /** What prints JSON prints what --jq makes of it; `isLines` if it writes records as NDJSON for that. */
  const filtered =
    (print: Print, isLines = false): Print =>
    async stdout => {
      const { jq } = readGlobals()
      if (jq === undefined) return print(stdout)
      const { recordsThroughJq, throughJq } = await import('./terminal/json-filter.ts')
      await (isLines ? recordsThroughJq(jq, print, stdout) : throughJq(jq, print, stdout))
    }
  const printing: Printing = {
    get output() {
      const { json, jq, output } = readGlobals()
      return json || jq !== undefined ? 'json' : output
    },
    async print(shape, records, { total, wereWritten = false } = {}) {
      const { output } = printing
      const { fields, color, plain } = readGlobals()
      if (output === 'ics') {
        const { exportOrigin } = await import('./client/calendar-origin.ts')
        const { writeICalendar } = await import('./files/icalendar/write-icalendar.ts')
        const { calendar } = await client()
        const site = calendar.baseUrl ?? calendar.id
        const events = (isOne(records) ? [records] : records) as AsyncIterable<Answer>
        const writing = { site, now: world.now(), origin: exportOrigin(calendar) }
        for await (const text of writeICalendar(events, writing)) await world.stdout.write(text)
        return
      }
      const seen = await notedRecords(shape, records)
      const { jq } = readGlobals()
      const check = fields && !wereWritten && (await import('./terminal/unknown-fields.ts')).withKnownFields
      const known = check ? await check(shape, seen.records, fields) : seen.records
      const isLines = jq !== undefined && !isOne(known) && takesEach(jq)
      // Only `export` writes workbooks, and only `lint` what programs read that show mistakes.
      const form = output === 'xlsx' || output === 'sarif' || output === 'github' ? undefined : output
      const print: Print = stdout =>
        printRecords({
          shape,
          records: known,
          output: isLines ? 'ndjson' : form,
          fields,
          total,
          color,
          plain,
          timeZone: world.timeZone,
          env: world.env,
          stdout,
        })
      await printing.page(filtered(print, isLines))
      await seen.remember()
    },
    async printValue(value) {
      const { output } = printing
      const { fields } = readGlobals()
      const form = output === 'yaml' || output === 'ndjson' ? output : 'json'
      await printing.page(filtered(stdout => printValue(value, { output: form, fields, stdout })))
    },
    async writeJson(print) {
      await filtered(print)(world.stdout)
    },
    async page(print) {
      const { stdout } = world
      if (!stdout.isTTY || !stdout.rows) return print(stdout)
      const { printPaged } = await import('./terminal/pager.ts')
      await printPaged(world, readGlobals(), print, notice)
    },
  }
  return printing
}
