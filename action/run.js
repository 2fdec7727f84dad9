// What action.yml runs once calctl is installed: `calctl diff` as a comment on a pull request, or `calctl apply`. The variables are
// those of action.yml and those that a runner sets.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const { env } = process
// An empty input is none, so that a setting in .calctl.json counts.
for (const name of ['CALCTL_BASE_URL', 'CALCTL_NAMESPACE', 'CALCTL_USER', 'CALCTL_PASSWORD'])
  if (env[name] === '') delete env[name]

/** GitHub accepts 65,536 characters; the rest of the comment is short. */
const longestPlan = 60_000

/** One per line, or separated by spaces. */
const words = (text = '') => {
  const parts = text.trim().split(text.trim().includes('\n') ? /\s*\n\s*/ : /\s+/)
  return parts.filter(part => part !== '')
}
const files = words(env.FILES)
const more = words(env.ARGUMENTS)
const pullRequest = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8')).pull_request
const marker = `<!-- calctl ${files.join(' ').replaceAll('--', '')} -->`

async function plan() {
  const file = join(env.RUNNER_TEMP, 'calctl-plan.json')
  rmSync(file, { force: true })
  const { status, printed } = calctl('diff', ...files, ...more, '--exit-code', '--save', file)
  // A program that crashes ends with 1, too.
  const isPlan = (status === 0 || status === 1) && existsSync(file)
  const body = `${marker}\n### ${isPlan ? headingOfPlan(status) : failure(status)}\n\n${fenced(printed)}\n`
  if (isPlan) {
    output('changes', String(status === 1))
    output('plan', file)
  }
  appendFileSync(env.GITHUB_STEP_SUMMARY, body)
  if (pullRequest) await comment(body)
  if (!isPlan) fail(`calctl diff ended with ${status}`, status || 1)
}

function apply() {
  const report = join(env.RUNNER_TEMP, 'calctl-report.ndjson')
  rmSync(report, { force: true })
  const { status, printed } = calctl('apply', ...files, ...more, '--yes', '--report', report)
  appendFileSync(env.GITHUB_STEP_SUMMARY, `### ${headingOfApply(status)}\n\n${fenced(printed)}\n`)
  // The report has a line for each step that was sent.
  if (existsSync(report) && readFileSync(report, 'utf8') !== '') {
    const { printed: steps } = calctl('runs', 'show')
    appendFileSync(env.GITHUB_STEP_SUMMARY, `\n${fenced(steps)}\n\n${whereUndoWorks}\n`)
  }
  if (status !== 0) fail(`calctl apply ended with ${status}`, status)
}

const whereUndoWorks = 'The journal of the run is on the runner: `calctl undo` works in later steps of the same job.'

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
const headingOfApply = status => (status === 0 ? 'The files were applied' : failure(status))

/** Runs calctl, and shows what it prints in the log. */
function calctl(...args) {
  const program = resolve(import.meta.dirname, '../bin/calctl.js')
  const options = { encoding: 'utf8', maxBuffer: 2 ** 28 }
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [program, ...args], options)
  if (error) fail(`calctl cannot be run: ${error.message}`, 3)
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
  const earlier = await earlierComment(`${path}/${pullRequest.number}/comments`)
  const answer = earlier
    ? await github('PATCH', `${path}/comments/${earlier.id}`, { body })
    : await github('POST', `${path}/${pullRequest.number}/comments`, { body })
  if (!answer.ok)
    console.log(
      `::warning::The plan is in the summary: commenting was refused (${answer.status}). It needs the permission pull-requests: write.`,
    )
}

async function earlierComment(path) {
  for (let page = 1; ; page++) {
    const answer = await github('GET', `${path}?per_page=100&page=${page}`)
    const comments = answer.ok ? await answer.json() : []
    const earlier = comments.find(({ body, user }) => body.startsWith(marker) && user?.type === 'Bot')
    if (earlier || comments.length < 100) return earlier
  }
}

const github = (method, path, body) =>
  fetch(env.GITHUB_API_URL + path, {
    method,
    headers: { authorization: `Bearer ${env.GITHUB_TOKEN}`, accept: 'application/vnd.github+json' },
    ...(body && { body: JSON.stringify(body) }),
  })

function output(name, value) {
  appendFileSync(env.GITHUB_OUTPUT, `${name}=${value}\n`)
}

function fail(message, status) {
  output('changes', 'unknown')
  output('plan', '')
  console.log(`::error::${message}`)
  process.exit(status)
}

const command = env.COMMAND === 'auto' ? (pullRequest ? 'plan' : 'apply') : env.COMMAND
if (command === 'plan') await plan()
else if (command === 'apply') apply()
else fail(`command: expected plan, apply or auto, got "${env.COMMAND}"`, 2)
