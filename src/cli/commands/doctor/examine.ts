import { Failure } from '../../../base/failure.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { parseSiteAddress } from '../../../client/site-discovery.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import type { App } from '../../app.ts'
import { connectionOptions } from '../../connect/connection.ts'
import type { Target } from '../../profiles/command-target.ts'
import { missingFile } from '../../profiles/config.ts'
import { resolveTarget } from '../../profiles/resolve.ts'
import { dataFile } from '../../profiles/user-folders.ts'
import { spokenName } from '../../terminal/spoken-name.ts'
import { wrapSentences } from '../../terminal/wrapped-sentences.ts'
import { checkShape } from '../shared/output-shapes.ts'
import { accountChecks, ownFilesChecks } from './account-checks.ts'
import { connectionChecks } from './connection-checks.ts'
import { type CheckFinding, type DoctorCheck, done, type Examination, failedAs, skipped } from './finding.ts'
import { openProbe } from './probe.ts'
import { behaviourChecks, siteChecks } from './site-checks.ts'

const siteQuestions = [...connectionChecks, ...siteChecks, ...accountChecks, ...behaviourChecks]

/** All checks; the local calendar needs only some. */
export const doctorChecks = [...siteQuestions, ...ownFilesChecks]

type Line = { readonly check: string } & CheckFinding

/**
 * What `login` checks on a site that it has just found: what a user needs, in few requests. The questions about the address have been
 * answered by then.
 */
const userQuestions = [
  ...siteChecks.filter(({ name }) => name === 'reading' || name === 'PHP'),
  ...accountChecks,
  ...ownFilesChecks.filter(({ name }) => name !== 'settings'),
]

/** The findings about the user of a profile; `index` is the answer at the root of the API. */
export async function findingsOf(app: App, profile: string, index: NonNullable<Examination['facts']['index']>) {
  const target = await resolveTarget(app.world, { ...app.globals, profile })
  const examination = await examinationOf(app, target, undefined)
  const lines: Line[] = []
  examination.facts.index = index
  try {
    for await (const line of findings(examination, userQuestions)) lines.push(line)
  } finally {
    await examination.probe.close()
  }
  return lines
}

/** Makes all checks of the current calendar, or of the site with this address, and prints the findings. */
export async function examine(app: App, given: string | undefined): Promise<void> {
  const { world, globals } = app
  const address = given === undefined ? undefined : parseSiteAddress(given)
  const baseUrl = address && address.origin + address.pathname.replace(/\/+$/, '')
  const target = await resolveTarget(world, { ...globals, ...(baseUrl !== undefined && { baseUrl }) })
  for (const text of target.notices) await app.notice(text)
  const examination = await examinationOf(app, target, address)
  const { probe } = examination
  const lines: Line[] = []
  const isPlain = app.output === undefined && globals.fields === undefined
  const checks = target.place.kind === 'http' ? siteQuestions : [calendarCheck(target.place)]
  try {
    for await (const line of findings(examination, [...checks, ...ownFilesChecks])) {
      lines.push(line)
      if (isPlain) await world.stdout.write(await wrapSentences(textOf(line), world.stdout))
    }
  } finally {
    await probe.close()
  }
  if (!isPlain)
    await app.print(
      checkShape,
      lines.map(line => ({ hint: null, problem: null, ...line })),
    )
  const count = (state: CheckFinding['state']) => lines.filter(line => line.state === state).length
  await app.notice(
    phrase('{total, plural, one {# check} other {# checks}}: {done} done, {failed} failed, {skipped} skipped', {
      total: lines.length,
      done: count('done'),
      failed: count('failed'),
      skipped: count('skipped'),
    }),
  )
  if (count('failed') > 0) app.status = 1
}

async function examinationOf(app: App, target: Target, address: URL | undefined): Promise<Examination> {
  const { world, globals } = app
  const connection = { ...(await connectionOptions(world, globals)), observe: (await app.traffic())?.observe }
  const facts = { baseUrl: target.place.kind === 'http' ? target.place.baseUrl : '', namespace: target.namespace }
  const origin = facts.baseUrl === '' ? undefined : new URL(facts.baseUrl).origin
  const { credentials, front } = target
  const probe = openProbe({ ...connection, credentials, front, origin, follow: globals.follow ?? [] })
  return { app, target, address, probe, facts, ...connection }
}

async function* findings(examination: Examination, checks: readonly DoctorCheck[]): AsyncGenerator<Line> {
  const blocked = new Set<string>()
  for (const { name, needs, run } of checks) {
    const isBlocked = needs !== undefined && blocked.has(needs)
    const finding = isBlocked
      ? skipped(phrase('needs: {check}', { check: spokenName(needs) }))
      : await run(examination).catch(asFinding)
    if (isBlocked || finding.state === 'failed') blocked.add(name)
    yield { check: name, ...finding }
  }
}

function asFinding(error: unknown): CheckFinding {
  if (error instanceof Failure && error.kind !== 'interrupted') return failedAs(error)
  throw error
}

/** The only check for a calendar in this process, which needs no connection. */
const calendarCheck = (place: Exclude<Target['place'], { kind: 'http' }>): DoctorCheck => ({
  name: 'calendar',
  async run({ app }) {
    if (place.kind === 'file') {
      const missing = missingFile(place.file)
      if (missing && place.file === dataFile(app.world))
        return skipped(phrase('the first write creates {file}', { file: place.file }))
      if (missing) return failedAs(missing)
    }
    const client = await app.client()
    const { total } = await client.list(resourceNamed('events'), { per_page: 1, starts_after: '1000-01-01' })
    return done(
      phrase('{calendar} has {count, plural, one {# event} other {# events}}', {
        calendar: client.calendar.label,
        count: total,
      }),
    )
  },
})

const marks: Readonly<Record<CheckFinding['state'], string>> = { done: '✓', failed: '✗', skipped: '–' }

/** The line for a check; if it failed, with the next step below it. */
function textOf(line: Line): string {
  const names = doctorChecks.map(({ name }) => spokenName(name))
  const width = Math.max(...names.map(name => name.length))
  const next = line.state === 'failed' && line.hint !== '' ? `  ${' '.repeat(width)}  → ${line.hint}\n` : ''
  return `${marks[line.state]} ${spokenName(line.check).padEnd(width)}  ${line.found}\n${next}`
}
