import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { type Approval, type Decided, openApproval } from '../../../assistants/approval.ts'
import type { About, Desk, Wish } from '../../../assistants/desk.ts'
import { firstRowOf, pieces, rest } from '../../../assistants/short-answers.ts'
import { ignoreFailure } from '../../../base/attempt.ts'
import { declined, Failure, refused } from '../../../base/failure.ts'
import { makeFolder } from '../../../base/fs.ts'
import { once } from '../../../base/memoize.ts'
import { interfaceLanguage, phrase } from '../../../base/words/phrase.ts'
import type { Plan } from '../../../changes/plan/plan.ts'
import { readPlan, savePlan } from '../../../changes/plan/plan-file.ts'
import { runsOfPlan } from '../../../changes/run/already-applied.ts'
import { readJournal } from '../../../changes/run/journal-reader.ts'
import { hasStepsLeft } from '../../../changes/run/undo-relations.ts'
import type { App } from '../../app.ts'
import { plansFolder, runsFolder } from '../../profiles/user-folders.ts'
import type { Globals, World } from '../../world.ts'
import { openPage } from '../open.ts'
import { approvingBy, checkApprovable } from '../preview/plan-on-page.ts'
import { anotherPlan, refusalNote, refusedAt } from '../preview/refusals.ts'
import { appBeside, closing } from '../shared/app-beside.ts'
import { checkWords, idText, type LineWords, lookWords, perPage, planWords } from './asked-words.ts'

/**
 * `calctl mcp`: answers what assistants ask with command lines of our own in this process (`asked-words.ts`), so that a question has the same
 * answer here as anywhere else. Input: questions. Output: what the command lines print as JSON, and the plans that they save.
 */

/** Carries out a command line of calctl in a world. */
export type RunLine = (world: World) => Promise<number>

export function createDesk(asked: App, run: RunLine): Desk {
  const app: App = { ...asked, world: withOneDemo(asked) }
  const globals = globalWords(app.globals)
  let last: Promise<unknown> = Promise.resolve()
  /** One command line after another: two at the same time would wait for each other's calendar file. */
  const rowsOf = (words: LineWords, stdin = ''): Promise<unknown[]> => {
    const rows = last.then(() => printedRows(run, app.world, [...globals, ...words], stdin))
    last = rows.catch(() => undefined)
    return rows
  }
  const planOf = async (wordsFor: (save: string) => LineWords, records: Wish['records'] = []): Promise<Plan> => {
    const save = join(tmpdir(), `calctl-${randomUUID()}.json`)
    try {
      const failure = await rowsOf(wordsFor(save), JSON.stringify(records)).then(
        () => undefined,
        (error: unknown) => error,
      )
      const plan = await readPlan(save, 'plan.json')
      if (plan && plan.steps.length + plan.invalid.length > 0) return plan
      throw failure ?? refused(phrase('nothing would change'), phrase('look at the records first'))
    } finally {
      await rm(save, { force: true })
    }
  }
  return {
    about: once(() => closing(quietApp(app), aboutCalendar)),
    async look(question) {
      const start = firstRowOf(question)
      const rows = await rowsOf(lookWords(question, start))
      const isWhole = question.what === 'agenda' || question.what === 'everything'
      return isWhole ? rest(rows, start) : { ...rest(rows, start, start % perPage), goesOn: rows.length === perPage }
    },
    async get(question) {
      const { kind, id, field } = question
      const rows = await rowsOf([kind, 'get', '--full', '--', idText(id)])
      return field === undefined ? rest(rows, 0) : pieces(rows[0], field, firstRowOf(question))
    },
    check: async question => rest(await rowsOf(checkWords(question)), firstRowOf(question)),
    plan: wish => planOf(save => planWords(wish, save), wish.records),
    undo: run => planOf(save => ['undo', '--save', save, '--', run]),
    approve: plan => approvalOf(app, plan),
    decided: plan => decidedElsewhere(app, plan),
    show: ({ address, file }) => openPage(app, address, file),
  }
}

/** The global options of `calctl mcp` for its command lines. Sentences are in the language of the person who approves. */
function globalWords({ profile, baseUrl, namespace, lang, via, demo }: Globals): LineWords {
  const options = { profile, 'base-url': baseUrl, namespace, lang, via, ui: interfaceLanguage() }
  const words = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : `--${name}=${value}`))
  return [...words, ...(demo ? ['--demo'] : []), '--output=json', '--quiet', '--no-input']
}

/** A world that differs in some properties; others, such as stdin, may be expensive to read. */
const inherit = (world: World, own: Partial<World>): World =>
  Object.create(world, Object.getOwnPropertyDescriptors(own))

/** One demo for the whole conversation: each command line would begin with a new one. */
function withOneDemo({ world, globals }: App): World {
  if (!globals.demo) return world
  let demo: ReturnType<World['openCalendar']> | undefined
  return inherit(world, {
    async openCalendar(place, _, notice) {
      demo ??= world.openCalendar(place, false, notice)
      return { ...(await demo), close: async () => {} }
    },
  })
}

/** A world without a terminal, in which what is printed is kept, and a failure thrown. */
function quietWorld(world: World, args: LineWords = [], stdin = ''): { world: World; out: string[] } {
  const out: string[] = []
  const silent: World['stdout'] = { write: async () => {}, isTTY: false, columns: undefined }
  const own: Partial<World> = {
    args,
    stdin: Readable.from([stdin]),
    stdout: { ...silent, write: async text => void out.push(String(text)) },
    stderr: silent,
    openKeyboard: undefined,
    fail(failure) {
      throw failure
    },
  }
  return { world: inherit(world, own), out }
}

/** What a command line prints, as rows; throws what it fails with. */
async function printedRows(run: RunLine, outer: World, args: LineWords, stdin: string): Promise<unknown[]> {
  const { world, out } = quietWorld(outer, args, stdin)
  await run(world)
  const text = out.join('')
  return text.trim() === '' ? [] : [JSON.parse(text)].flat()
}

/** An app that asks and says nothing. */
const quietApp = (app: App): App =>
  appBeside(app, quietWorld(app.world).world, { ...app.globals, yes: true, quiet: true })

async function aboutCalendar(app: App): Promise<About> {
  const client = await app.client()
  return {
    calendar: client.calendar.label,
    language: client.language ?? 'ca',
    zone: (await client.timezone()) ?? app.world.timeZone(),
  }
}

/** What a person has decided about a plan in another process; a run that goes on is not decided. */
function decidedElsewhere({ world, globals }: App, plan: Plan): Decided | undefined {
  const at = refusedAt(world, plan)
  if (at !== undefined) return { state: 'refused', at }
  const [applied] = globals.demo ? [] : runsOfPlan(runsFolder(world), plan)
  const journal = applied && readJournal(applied.file)
  if (!journal || journal.isRunning) return undefined
  const { run } = journal
  const said = phrase('run {run} already applied this plan', { run })
  return { state: 'approved', run, said, ...(hasStepsLeft(journal) && { failure: new Failure('partial', said) }) }
}

/**
 * Shows a plan on the page, and keeps it where `calctl approve` finds it until that page is closed. What the page shows was read without a
 * lock; before the writes, its records are compared again.
 */
async function approvalOf(app: App, plan: Plan): Promise<Approval> {
  const { world } = app
  const reading = quietApp(app)
  const file = join(plansFolder(world), `${plan.id}.json`)
  let approval: Approval | undefined
  const close = async () => {
    await approval?.close()
    await rm(file, { force: true }).catch(ignoreFailure)
    await reading.close()
  }
  try {
    await checkApprovable(reading, plan, file)
    await reading.confirmProfile()
    const client = await reading.client({ mayBeNew: true })
    approval = await openApproval({
      ...approvingBy(reading, client, plan),
      async carryOut(approved, state) {
        const decided = decidedElsewhere(app, plan)
        if (decided?.state === 'approved') return decided
        const refusal = refusalNote(world, plan)
        if (refusal) throw declined(refusal, anotherPlan())
        return closing(quietApp(app), async writing =>
          approvingBy(writing, await writing.writer(), plan).carryOut(approved, state),
        )
      },
    })
    if (!app.globals.demo) {
      makeFolder(dirname(file), 0o700)
      await savePlan(file, file, plan)
    }
    return { ...approval, close }
  } catch (error) {
    await close()
    throw error
  }
}
