// What action.yml runs once calctl is installed. The variables are those of action.yml and those that a runner sets.
//
//   run.js        plans, applies, or compares the calendar with the files; says in its outputs what is to be kept and told
//   run.js tell   tells it, once the plan is kept and has an address, and ends with the status of the first call
import { spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as github from './github.js'
import { takePictures } from './pictures.js'

const { env } = process
// An empty input is none, so that a setting in .calctl.json counts.
const settings = ['CALCTL_BASE_URL', 'CALCTL_NAMESPACE', 'CALCTL_USER', 'CALCTL_PASSWORD']
for (const name of settings) if (env[name] === '') delete env[name]

/** GitHub accepts 65,536 characters; the rest of a comment is short. */
const longestPlan = 60_000

/** One per line, or separated by spaces. */
const words = (text = '') => {
  const parts = text.trim().split(text.trim().includes('\n') ? /\s*\n\s*/ : /\s+/)
  return parts.filter(part => part !== '')
}
/** A file whose name begins with a dash is no option: anybody can name a file in a pull request. */
const files = words(env.FILES).map(name => (name.startsWith('-') ? `./${name}` : name))
const more = words(env.ARGUMENTS)
const toApply = words(env.APPLY_ARGUMENTS)
/** Those of the arguments that say which calendar is meant: a saved plan was made with the others. */
const connection = more.flatMap((word, index) => {
  if (!/^(-p|--(profile|base-url|namespace|lang|via|header|ca-file))(=|$)/.test(word)) return []
  return word.includes('=') ? [word] : [word, more[index + 1]]
})
const event = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8'))
const pullRequest = event.pull_request
const marker = `<!-- calctl ${files.join(' ').replaceAll('--', '')} -->`

/** What is kept of these files and arguments has this name; a job may use the action for several calendars. */
const kept = `calctl-plan-${hash([files, more, env.CALCTL_BASE_URL ?? '']).slice(0, 8)}`
const folder = join(env.RUNNER_TEMP, kept)

async function plan() {
  const { status, printed, file } = makePlan()
  const heading = file ? headingOfPlan(status) : failure(status)
  if (file) {
    output('changes', String(status === 1))
    output('plan', file)
    if (pullRequest) return tellLater({ heading, printed, number: pullRequest.number, file })
  } else fail(heading, status || 1)
  const body = `${marker}\n### ${heading}\n\n${fenced(printed)}\n`
  appendFileSync(env.GITHUB_STEP_SUMMARY, body)
  if (pullRequest) await comment(pullRequest.number, body)
}

/** A plan in a file, if the files can be applied: the status says whether there are changes. */
function makePlan() {
  const file = join(folder, 'plan.json')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { status, printed } = calctl('diff', ...files, ...more, '--exit-code', '--save', file)
  // A program that crashes ends with 1, too.
  return { status, printed, file: (status === 0 || status === 1) && existsSync(file) ? file : undefined }
}

/** Has the plan kept by the next steps, with pictures of what it changes, and told by the last one. */
async function tellLater({ heading, printed, number, file, status = 0 }) {
  const { steps } = readPlan(file)
  const pictures = join(folder, 'pictures')
  const whyNot = steps.length > 0 ? await takePictures(file, pictures, connection) : 'nothing changes'
  const body = `### ${heading}\n\n${inWords(steps)}\n\n@LINKS@\n\n${fenced(printed)}\n`
  writeFileSync(join(folder, 'told.json'), JSON.stringify({ heading, body, number, whyNot, status }))
  output('kept', kept)
  output('folder', folder)
  if (!whyNot) output('pictures', pictures)
}

/** Writes the comment with the addresses of what was kept. */
async function tell() {
  const { heading, body, number, whyNot, status } = JSON.parse(readFileSync(join(env.FOLDER, 'told.json'), 'utf8'))
  const plan = env.PLAN_URL ? `[the plan](${env.PLAN_URL})` : 'the plan could not be kept, and so cannot be approved'
  const pictures = env.PICTURES_URL
    ? `[the calendar before and after](${env.PICTURES_URL})`
    : `no pictures of the calendar${whyNot ? `: ${whyNot}` : ''}`
  const text = `${marker}\n${body.replace('@LINKS@', () => `Kept: ${plan}; ${pictures}.`)}`
  appendFileSync(env.GITHUB_STEP_SUMMARY, text)
  await comment(number, text)
  if (status !== 0) fail(heading, status)
}

/** `Creates 35 events and 2 venues, changes 1 event.` */
function inWords(steps) {
  const verbs = {
    create: 'creates',
    update: 'changes',
    trash: 'moves to the trash',
    delete: 'deletes',
    restore: 'restores',
  }
  const parts = Object.entries(verbs).flatMap(([action, verb]) => {
    const counts = new Map()
    for (const step of steps)
      if (step.action === action) counts.set(step.resource, (counts.get(step.resource) ?? 0) + 1)
    const objects = [...counts].map(([name, count]) => `${count} ${count === 1 ? singular(name) : name}`)
    return objects.length > 0 ? [`${verb} ${objects.join(' and ')}`] : []
  })
  return parts.length > 0 ? `The plan ${parts.join(', ')}.` : 'The plan changes nothing.'
}

const singular = name => name.replace(/ies$/, 'y').replace(/s$/, '')

/** Carries out the plan that a review approved, if the calendar is still as it was. */
async function applyApproved() {
  const { status, printed, file } = makePlan()
  if (!file) return report(failure(status), printed, status || 1)
  if (status === 0) return report('The calendar matches the files', printed, 0)
  const merged = await github.mergedBy(env.GITHUB_SHA)
  if (!merged)
    return report(
      'No merged pull request made this commit, so nobody approved its plan: nothing was written',
      printed,
      8,
    )
  const approvals = await github.approvalsOf(merged)
  const found = await github.artifactsOf(kept, [merged.head.sha, env.GITHUB_SHA])
  const approved = found.find(({ at }) => approvals.some(approval => approval.at > at))
  if (approved) {
    const text = await github.fileIn(approved, 'plan.json')
    if (isSamePlan(text, file)) {
      writeFileSync(file, text)
      return carryOut([file, ...connection])
    }
  }
  output('changes', 'unknown')
  output('plan', '')
  const heading = approved
    ? 'The calendar changed since the plan was approved: nothing was written'
    : 'No review approved this plan: nothing was written'
  const hint = `Approve commit ${merged.head.sha} in a review of this pull request, and run the job again: it carries out this plan.\n\n`
  await tellLater({ heading, printed: hint + printed, number: merged.number, file, status: approved ? 7 : 8 })
}

const readPlan = file => JSON.parse(readFileSync(file, 'utf8'))

/** Whether two plans are the same, with the records as they were and will be, except that they were made at two times. */
function isSamePlan(text, file) {
  const [one, other] = [JSON.parse(text), readPlan(file)].map(({ id, made, checksum, ...rest }) => hash(rest))
  return one === other
}

function hash(value) {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

/** Applies files, or a plan. */
function carryOut(what) {
  const before = latestRun()
  const { status, printed } = calctl('apply', ...what, ...toApply, '--yes')
  // Without changes, there is no run.
  const hasRun = latestRun() !== before
  report(status === 0 ? headingOfApply(hasRun) : failure(status), printed, status)
  if (hasRun) {
    const { printed: steps } = calctl('runs', 'show')
    appendFileSync(env.GITHUB_STEP_SUMMARY, `\n${fenced(steps)}\n\n${howToUndo()}\n`)
  }
}

function report(heading, printed, status) {
  appendFileSync(env.GITHUB_STEP_SUMMARY, `### ${heading}\n\n${fenced(printed)}\n`)
  if (status !== 0) fail(heading, status)
}

/** Opens an issue when the calendar differs from the files, and closes it when it does not any more. */
async function drift() {
  const { status, printed, file } = makePlan()
  const heading = file ? headingOfDrift(status) : failure(status)
  report(heading, printed, file ? 0 : status || 1)
  if (!file) return
  output('changes', String(status === 1))
  output('plan', file)
  const body = `${marker}\n### ${heading}\n\n${inWords(readPlan(file).steps)}\n\n${fenced(printed)}\n`
  try {
    const issue = await github.openIssue(marker)
    if (status === 1 && issue) await github.changeIssue(issue.number, { body })
    else if (status === 1) await github.createIssue(heading, body)
    else if (issue) await github.changeIssue(issue.number, { body, state: 'closed', state_reason: 'completed' })
  } catch (error) {
    fail(`The issue could not be written (${reasonOf(error)}). It needs the permission issues: write`, 5)
  }
}

/** Only the step of the action has its inputs in the environment. */
function howToUndo() {
  const given = settings.filter(name => env[name] !== undefined)
  const lines = given.map(
    name => `    ${name}: # as the input "${name.slice('CALCTL_'.length).toLowerCase().replaceAll('_', '-')}"`,
  )
  const step = ['- run: calctl undo --yes', ...(given.length > 0 ? ['  env:', ...lines] : [])].join('\n')
  return `The journal of the run is on the runner: a later step of the same job can undo it.\n\n\`\`\`yaml\n${step}\n\`\`\``
}

/** What an exit status of calctl means, if the command did not do its work. */
const failures = {
  2: 'The files cannot be applied as they are',
  3: 'calctl cannot log in, or a setting is wrong',
  4: 'The site has no such record, or refused a request',
  5: 'The site cannot be reached, or failed',
  6: 'Only some of the changes were made',
  7: 'The calendar changed in the meantime',
  8: 'A safety rule stopped calctl',
  130: 'calctl was interrupted',
}
const failure = status => failures[status] ?? `calctl failed (status ${status})`
const headingOfPlan = status =>
  status === 0 ? 'The calendar matches the files' : 'What the files would change in the calendar'
const headingOfApply = hasRun => (hasRun ? 'The files were applied' : 'The calendar matches the files')
const headingOfDrift = status =>
  status === 0 ? 'The calendar matches the files' : 'The calendar differs from the files'

/** The name of the latest run on this machine; undefined if there is none. */
function latestRun() {
  const { stdout } = started('runs', 'list', '--limit', '1', '-o', 'ids')
  return stdout?.trim() || undefined
}

function started(...args) {
  const program = resolve(import.meta.dirname, '../bin/calctl.js')
  return spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 })
}

/** Runs calctl, and shows what it prints in the log. */
function calctl(...args) {
  const { status, stdout, stderr, error } = started(...args)
  if (error) {
    fail(`calctl cannot be run: ${error.message}`, 3)
    process.exit()
  }
  // What a sheet says is no command to the runner.
  const token = randomUUID()
  process.stdout.write(`::stop-commands::${token}\n${stdout}${stderr}\n::${token}::\n`)
  return { status: status ?? 130, printed: `${stdout}${stderr}` }
}

/** A block with a fence that does not stand in the text, and with as many whole lines as a comment can have. */
function fenced(text) {
  const lines = text.trimEnd().split('\n')
  const total = lines.length
  while (lines.join('\n').length > longestPlan) lines.splice(Math.floor(lines.length * 0.9))
  const left = total - lines.length
  const shown = lines.join('\n')
  const fence = '`'.repeat(Math.max(3, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `${fence}diff\n${shown}\n${fence}${left > 0 ? `\n\n${left} more lines are in the log.` : ''}`
}

/** Writes a comment on a pull request, or replaces the one of an earlier run. One from a fork may not be commented on. */
async function comment(number, body) {
  try {
    await github.comment(number, marker, body)
  } catch (error) {
    say(
      'warning',
      `The plan is in the summary: commenting failed (${reasonOf(error)}). It needs the permission pull-requests: write.`,
    )
  }
}

const reasonOf = error => error.cause?.message ?? error.message

function output(name, value) {
  appendFileSync(env.GITHUB_OUTPUT, `${name}=${value}\n`)
}

/** Shows a message in the log and on the page of the run. A line feed would begin another command to the runner. */
function say(level, message) {
  const escaped = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  console.log(`::${level}::${escaped}`)
}

/** Ends the step with this status, once the comment is written. */
function fail(message, status) {
  output('changes', 'unknown')
  output('plan', '')
  say('error', message)
  process.exitCode = status
}

/** What `auto` stands for. */
const usual = pullRequest ? 'plan' : env.GITHUB_EVENT_NAME === 'schedule' ? 'drift' : 'apply'

async function main() {
  const command = env.COMMAND === 'auto' ? usual : env.COMMAND
  if (process.argv[2] === 'tell') await tell()
  else if (command === 'plan') await plan()
  else if (command === 'drift') await drift()
  else if (command !== 'apply') fail(`command: expected plan, apply, drift or auto, got "${env.COMMAND}"`, 2)
  else if (env.APPROVAL === 'none') carryOut([...files, ...more])
  else if (env.APPROVAL === 'review') await applyApproved()
  else fail(`approval: expected review or none, got "${env.APPROVAL}"`, 2)
}

try {
  await main()
} catch (error) {
  fail(`GitHub's answer cannot be used, and nothing was written: ${reasonOf(error)}`, 5)
}
