import { declined } from '../base/failure.ts'
import { once } from '../base/memoize.ts'
import { phrase } from '../base/words/phrase.ts'
import type { Client } from '../client/client.ts'
import type { Sending } from '../client/http/retry.ts'
import type { TrafficLog } from '../client/http/traffic.ts'
import type { Language } from '../contract/languages.ts'
import type { Answer } from '../contract/resource.ts'
import { isOne } from '../files/print/printed-rows.ts'
import type { App, Printing } from './app.ts'
import type { Connection } from './connect/connect.ts'
import { type Print, takesEach } from './terminal/json-filter.ts'
import { isPrinted, type PrintOptions, printRecords } from './terminal/print.ts'
import { printValue } from './terminal/print-value.ts'
import { keyboardOf } from './terminal/streams.ts'
import { wrapSentences } from './terminal/wrapped-sentences.ts'
import type { Globals, World } from './world.ts'

/** In ms. */
const longestForNotice = 3000

/** Creates the app of a command. Options are read when they are needed, because commander parses them later. */
export function createApp(world: World, readGlobals: () => Globals, readCommand = () => ''): App {
  let isConfirmed = false
  const sending: Sending = {}
  const typed: Typed = {
    world,
    get globals() {
      return readGlobals()
    },
    async notice(text) {
      if (readGlobals().quiet) return
      await world.stderr.write(`${await wrapSentences(text, world.stderr)}\n`)
    },
  }
  const connecting = createConnecting(typed, sending)
  const printing = createPrinting(typed, connecting)
  const app: App = {
    world,
    notice: typed.notice,
    get globals() {
      return readGlobals()
    },
    get command() {
      return readCommand()
    },
    get output() {
      return printing.output
    },
    print: printing.print,
    printValue: printing.printValue,
    page: printing.page,
    writeJson: printing.writeJson,
    status: 0,
    async client({ toPlan = false, mayBeNew = toPlan } = {}) {
      const { client, missingFile } = await connecting.open()
      if (toPlan) await connecting.beginToWrite()
      const missing = mayBeNew ? undefined : missingFile()
      if (missing) throw missing
      return client
    },
    useLanguage: connecting.useLanguage,
    async writer({ confirmed } = {}) {
      const { client } = await connecting.open()
      await connecting.beginToWrite()
      if (confirmed !== 'later' || !app.canAsk) await app.confirmProfile()
      return client
    },
    async isUnconfirmed() {
      const { profile, isProtected } = await connecting.open()
      return isProtected && !isConfirmed && app.globals.confirm !== profile
    },
    async confirmProfile(question) {
      if (!(await app.isUnconfirmed())) return false
      const { profile } = await connecting.open()
      await askForProfile(app, profile, question)
      isConfirmed = true
      return true
    },
    waitForSite(maxWait) {
      sending.maxWait = maxWait
    },
    briefly: work => withDeadline(sending, work),
    traffic: connecting.traffic,
    get canAsk() {
      if (!world.stderr.isTTY || app.globals.input === false || app.globals.yes) return false
      return keyboardOf(world)?.isTTY === true
    },
    close: connecting.close,
  }
  return app
}

/** What a command line says, and where its notices go. */
type Typed = Pick<App, 'world' | 'globals' | 'notice'>

/** The connection of a command: opened once, and again in the language of a run. */
function createConnecting(typed: Typed, sending: Sending) {
  const { world, notice } = typed
  const said = new Set<string>()
  let opening: Promise<Connection> | undefined
  let runLanguage: Language | undefined
  const traffic = once(() => openLog(typed))
  const open = async () => {
    const { connect } = await import('./connect/connect.ts')
    const own = typed.globals
    const globals = runLanguage ? { ...own, lang: runLanguage } : own
    opening ??= traffic().then(traffic => connect({ world, globals, notice, traffic, said, sending }))
    return opening
  }
  return {
    open,
    opened: () => opening,
    traffic,
    /** Says before the first request which calendar it is, if a file of the folder chose it. */
    async beginToWrite() {
      sending.toWrite = true
      const { choice } = await open()
      if (choice === undefined || said.has(choice)) return
      said.add(choice)
      await notice(choice)
    },
    async useLanguage(language: Language | undefined) {
      if (typed.globals.lang !== undefined || language === runLanguage) return
      const { client, close } = await open()
      if (client.language === language) return
      await close()
      opening = undefined
      runLanguage = language
    },
    async close() {
      await (await opening?.catch(() => undefined))?.close()
    },
  }
}

/** Asks for the name of a protected profile; throws `declined` for any other, and without a terminal. */
async function askForProfile({ world, canAsk }: App, profile: string, question?: string): Promise<void> {
  const { askProfileName } = await import('./terminal/prompts.ts')
  if (canAsk && (await askProfileName(world, profile, question)) === profile) return
  throw declined(
    phrase('the profile {profile} is protected', { profile }),
    canAsk
      ? phrase('to write to it type its name, or add: --confirm {profile}', { profile })
      : phrase('to write to it add: --confirm {profile}', { profile }),
  )
}

async function withDeadline<T>(sending: Sending, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  sending.deadline = new Promise(resolve => {
    timer = setTimeout(resolve, longestForNotice).unref()
  })
  try {
    return await work()
  } finally {
    sending.deadline = undefined
    clearTimeout(timer)
  }
}

/** Loads nothing unless requests are to be shown. */
async function openLog({ world, globals }: Typed): Promise<TrafficLog | undefined> {
  if (!globals.debug && !globals.printCurl) return undefined
  return (await import('../client/http/traffic.ts')).openTrafficLog(world.stderr.write, globals)
}

/** The printing of a command; options are read when needed, because commander parses them later. */
function createPrinting(typed: Typed, connecting: ReturnType<typeof createConnecting>): Printing {
  const { world, notice } = typed
  /** Makes a printer of JSON print what --jq makes of it; `isLines` if --jq gets the records as NDJSON. */
  const filtered =
    (print: Print, isLines = false): Print =>
    async stdout => {
      const { jq } = typed.globals
      if (jq === undefined) return print(stdout)
      const { recordsThroughJq, throughJq } = await import('./terminal/json-filter.ts')
      const filtering = { expression: jq, stop: world.stopSignal() }
      await (isLines ? recordsThroughJq(filtering, print, stdout) : throughJq(filtering, print, stdout))
    }
  const printing: Printing = {
    get output() {
      const { json, jq, output } = typed.globals
      return json || jq !== undefined ? 'json' : output
    },
    async print(shape, records, { total, wereWritten = false } = {}) {
      const { output } = printing
      const { fields, color, plain } = typed.globals
      if (output === 'ics') return printICalendar(world, (await connecting.open()).client, records)
      const { jq } = typed.globals
      const check = fields && !wereWritten && (await import('./terminal/unknown-fields.ts')).withKnownFields
      const known = check ? await check(shape, records, fields) : records
      const isLines = jq !== undefined && !isOne(known) && takesEach(jq)
      const form = isPrinted(output) ? output : undefined
      const print: Print = stdout =>
        printRecords({
          shape,
          records: known,
          output: isLines ? 'ndjson' : form,
          fields,
          total,
          color,
          plain,
          viewer: () => ({ zone: world.timeZone(), year: world.now().toISOString().slice(0, 4) }),
          env: world.env,
          stdout,
        })
      await printing.page(filtered(print, isLines))
    },
    async printValue(value) {
      const { output } = printing
      const { fields } = typed.globals
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
      await printPaged(world, typed.globals, print, notice)
    },
  }
  return printing
}

/** Prints events as a calendar file. */
async function printICalendar(world: World, { calendar }: Client, records: PrintOptions['records']): Promise<void> {
  const { exportOrigin } = await import('../client/site-discovery.ts')
  const { writeICalendar } = await import('../files/icalendar/write-icalendar.ts')
  const site = calendar.baseUrl ?? calendar.id
  const events = (isOne(records) ? [records] : records) as AsyncIterable<Answer>
  const writing = { site, now: world.now(), origin: exportOrigin(calendar) }
  for await (const text of writeICalendar(events, writing)) await world.stdout.write(text)
}
