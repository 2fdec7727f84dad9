// What action.yml runs once calctl is installed: `calctl diff` as a comment on a pull request, or `calctl apply`. The variables are
// those of action.yml and those that a runner sets.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const { env } = process
// An empty input is none, so that a setting in .calctl.json counts.
const settings = ['CALCTL_BASE_URL', 'CALCTL_NAMESPACE', 'CALCTL_USER', 'CALCTL_PASSWORD']
for (const name of settings) if (env[name] === '') delete env[name]

/** GitHub accepts 65,536 characters; the rest of the comment is short. */
const longestPlan = 60_000

/** One per line, or separated by spaces. */
const words = (text = '') => {
  const parts = text.trim().split(text.trim().includes('\n') ? /\s*\n\s*/ : /\s+/)
  return parts.filter(part => part !== '')
}
/** A file whose name begins with a dash is no option: anybody can name a file in a pull request. */
const files = words(env.FILES).map(name => (name.startsWith('-') ? `./${name}` : name))
const more = words(env.ARGUMENTS)
const pullRequest = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8')).pull_request
const marker = `<!-- calctl ${files.join(' ').replaceAll('--', '')} -->`

async function plan() {
  const file = join(env.RUNNER_TEMP, 'calctl-plan.json')
  rmSync(file, { force: true })
  const { status, printed } = calctl('diff', ...files, ...more, '--exit-code', '--save', file)
  // A program that crashes ends with 1, too.
  const isPlan = (status === 0 || status === 1) && existsSync(file)
  const heading = isPlan ? headingOfPlan(status) : failure(status)
  const body = `${marker}\n### ${heading}\n\n${fenced(printed)}\n`
  appendFileSync(env.GITHUB_STEP_SUMMARY, body)
  if (isPlan) {
    output('changes', String(status === 1))
    output('plan', file)
  } else fail(heading, status || 1)
  if (pullRequest) await comment(body)
}

function apply() {
  const before = latestRun()
  const { status, printed } = calctl('apply', ...files, ...more, '--yes')
  // Without changes, there is no run.
  const hasRun = latestRun() !== before
  const heading = status === 0 ? headingOfApply(hasRun) : failure(status)
  appendFileSync(env.GITHUB_STEP_SUMMARY, `### ${heading}\n\n${fenced(printed)}\n`)
  if (hasRun) {
    const { printed: steps } = calctl('runs', 'show')
    appendFileSync(env.GITHUB_STEP_SUMMARY, `\n${fenced(steps)}\n\n${howToUndo()}\n`)
  }
  if (status !== 0) fail(heading, status)
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

/** Writes a comment on the pull request, or replaces the one of an earlier run. A pull request from a fork may not be commented on. */
async function comment(body) {
  const path = `/repos/${env.GITHUB_REPOSITORY}/issues`
  const onPullRequest = `${path}/${pullRequest.number}/comments`
  try {
    const earlier = await earlierComment(onPullRequest)
    if (earlier) await github('PATCH', `${path}/comments/${earlier.id}`, { body })
    else await github('POST', onPullRequest, { body })
  } catch (error) {
    say(
      'warning',
      `The plan is in the summary: commenting failed (${error.cause?.message ?? error.message}). It needs the permission pull-requests: write.`,
    )
  }
}

async function earlierComment(path) {
  for (let page = 1; ; page++) {
    const comments = await github('GET', `${path}?per_page=100&page=${page}`)
    const earlier = comments.find(({ body, user }) => body?.startsWith(marker) && user?.type === 'Bot')
    if (earlier || comments.length < 100) return earlier
  }
}

async function github(method, path, body) {
  const answer = await fetch(env.GITHUB_API_URL + path, {
    method,
    headers: { authorization: `Bearer ${env.GITHUB_TOKEN}`, accept: 'application/vnd.github+json' },
    signal: AbortSignal.timeout(60_000),
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`status ${answer.status}`)
  return answer.json()
}

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

const command = env.COMMAND === 'auto' ? (pullRequest ? 'plan' : 'apply') : env.COMMAND
if (command === 'plan') await plan()
else if (command === 'apply') apply()
else fail(`command: expected plan, apply or auto, got "${env.COMMAND}"`, 2)
