import type { Client } from './client/client.ts'
import type { Connection } from './connect.ts'
import type { Language } from './contract/languages.ts'
import { Failure } from './failure.ts'
import type { Globals } from './globals.ts'
import { createPrinting, type Printing } from './printing.ts'
import { keyboardOf } from './terminal/streams.ts'
import type { TrafficLog } from './watch-traffic.ts'
import type { World } from './world.ts'

/** Everything that a command may use. Expensive things are functions, so that `--help` reads no file. */
export interface App extends Printing {
  readonly world: World
  readonly globals: Globals
  /** The name of the command: `events update`. */
  readonly command: string
  /** The exit status of a command that ends without a failure. */
  status: number
  /**
   * The client of the current profile, opened once and closed by `close`. Throws `settings` if the calendar file does not exist,
   * except `toPlan` writes, which create it.
   */
  client(options?: { toPlan?: boolean }): Promise<Client>
  /** From now on, connects in the language of a run, unless --lang names one. To be called before the first request. */
  useLanguage(language: Language | undefined): Promise<void>
  /**
   * The client for a command that writes. A protected profile must be confirmed by its name: without a terminal this throws
   * `declined`, and at a terminal it asks, unless the command does that itself, `later`, once it can say what it will write. In a dry
   * run the client reads, and throws a `Preview` instead of a write.
   */
  writer(options?: { dryRun?: boolean | undefined; confirmed?: 'later' }): Promise<Client>
  /** Whether the profile is protected and has not been confirmed by its name. */
  isUnconfirmed(): Promise<boolean>
  /**
   * Has a protected profile confirmed, once: asks for its name, after `question` if there is one. False if there was nothing to
   * confirm; throws `declined` after anything but the name.
   */
  confirmProfile(question?: string): Promise<boolean>
  /** From now on, waits up to so many ms in a row while the site refuses everything. */
  waitForSite(maxWait: number): Promise<void>
  /**
   * Does what only a notice depends on, which must not hold up a command: each of its requests is sent once, and fails as soon as all
   * of it has taken 3 seconds.
   */
  briefly<T>(work: () => Promise<T>): Promise<T>
  /** The log that --debug and --print-curl ask for; undefined without them. */
  traffic(): Promise<TrafficLog | undefined>
  /** Whether questions can be asked at a terminal. */
  readonly canAsk: boolean
  /** Prints a line on stderr, unless -q is given. */
  notice(text: string): Promise<void>
  close(): Promise<void>
}

/** In ms. */
const longestForNotice = 3000

/** Creates the app of a command. Options are read when needed, because commander parses them later. */
export function createApp(world: World, readGlobals: () => Globals, readCommand = () => ''): App {
  let opening: Promise<Connection> | undefined
  let isConfirmed = false
  let runLanguage: Language | undefined
  const said = new Set<string>()
  let log: Promise<TrafficLog | undefined> | undefined
  const connection = async () => {
    const { connect } = await import('./connect.ts')
    const { globals } = app
    const inLanguage = runLanguage ? { ...globals, lang: runLanguage } : globals
    opening ??= app.traffic().then(traffic => connect(world, inLanguage, app.notice, traffic, said))
    return opening
  }
  const printing = createPrinting({
    world,
    readGlobals,
    connection: () => opening,
    client: () => app.client(),
    notice: text => app.notice(text),
  })
  const app: App = {
    world,
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
    async client({ toPlan = false } = {}) {
      const { client, prepareToWrite, missingFile } = await connection()
      if (toPlan) prepareToWrite()
      const missing = toPlan ? undefined : missingFile()
      if (missing) throw missing
      return client
    },
    async useLanguage(language) {
      if (app.globals.lang !== undefined || language === runLanguage) return
      const { client, close } = await connection()
      if (client.language === language) return
      await close()
      opening = undefined
      runLanguage = language
    },
    async writer({ dryRun = false, confirmed } = {}) {
      const { client, dryRunClient, prepareToWrite } = await connection()
      prepareToWrite()
      if (dryRun) return dryRunClient()
      if (confirmed !== 'later' || !app.canAsk) await app.confirmProfile()
      return client
    },
    async isUnconfirmed() {
      const { profile, isProtected } = await connection()
      return isProtected && !isConfirmed && app.globals.confirm !== profile
    },
    async confirmProfile(question) {
      if (!(await app.isUnconfirmed())) return false
      const { profile } = await connection()
      const { askProfileName } = await import('./terminal/prompts.ts')
      if (!app.canAsk || (await askProfileName(world, profile, question)) !== profile)
        throw new Failure('declined', `the profile ${profile} is protected`, {
          hint: `to write to it ${app.canAsk ? 'type its name, or ' : ''}add: --confirm ${profile}`,
        })
      isConfirmed = true
      return true
    },
    async waitForSite(maxWait) {
      await (await connection()).waitForSite(maxWait)
    },
    async briefly(work) {
      const { hurry } = await connection()
      let timer: NodeJS.Timeout | undefined
      const deadline = new Promise(resolve => {
        timer = setTimeout(resolve, longestForNotice).unref()
      })
      await hurry(deadline)
      try {
        return await work()
      } finally {
        await hurry(undefined)
        clearTimeout(timer)
      }
    },
    traffic() {
      log ??= openLog(world, app.globals)
      return log
    },
    get canAsk() {
      if (!world.stderr.isTTY || app.globals.input === false || app.globals.yes) return false
      return keyboardOf(world)?.isTTY === true
    },
    async notice(text) {
      if (app.globals.quiet) return
      await world.stderr.write(`${text}\n`)
    },
    async close() {
      await (await opening?.catch(() => undefined))?.close()
    },
  }
  return app
}

/** Loads nothing unless requests are to be shown. */
async function openLog(world: World, globals: Globals): Promise<TrafficLog | undefined> {
  if (!globals.debug && !globals.printCurl) return undefined
  return (await import('./watch-traffic.ts')).openTrafficLog(world, globals)
}
