// GitHub's API as the action uses it: comments and issues of the action itself, reviews, and artifacts of the repository.
import yauzl from 'yauzl'

const { env } = process
const repository = () => `/repos/${env.GITHUB_REPOSITORY}`

/** A plan is text; more than this is none. */
const largestPlan = 2 ** 28

async function send(method, path, body) {
  const answer = await fetch(env.GITHUB_API_URL + path, {
    method,
    headers: {
      authorization: `Bearer ${env.GITHUB_TOKEN}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
    },
    signal: AbortSignal.timeout(60_000),
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`status ${answer.status}`)
  return answer
}

const get = async path => (await send('GET', path)).json()

/** All entries of a list, which stands in the answer itself or under a name; `path` ends where the number of the page follows. */
async function all(path, name) {
  const entries = []
  for (let page = 1; ; page++) {
    const answer = await get(`${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`)
    const part = name ? answer[name] : answer
    entries.push(...part)
    if (part.length < 100) return entries
  }
}

/** Whether the action wrote this, not a person who copied its mark. */
const isOurs = (marker, { body, user }) => body?.startsWith(marker) && user?.type === 'Bot'

/** Writes a comment on a pull request, or replaces the one that begins with the marker. */
export async function comment(number, marker, body) {
  const path = `${repository()}/issues`
  const earlier = (await all(`${path}/${number}/comments`)).find(one => isOurs(marker, one))
  if (earlier) await send('PATCH', `${path}/comments/${earlier.id}`, { body })
  else await send('POST', `${path}/${number}/comments`, { body })
}

/** The open issue that begins with the marker, if there is one. */
export async function openIssue(marker) {
  const issues = await all(`${repository()}/issues?state=open`)
  return issues.find(one => !one.pull_request && isOurs(marker, one))
}

export const createIssue = (title, body) => send('POST', `${repository()}/issues`, { title, body })

export const changeIssue = (number, change) => send('PATCH', `${repository()}/issues/${number}`, change)

/** The pull request whose merge made this commit. */
export async function mergedBy(commit) {
  const found = await all(`${repository()}/commits/${commit}/pulls`)
  return found.find(({ merged_at, merge_commit_sha }) => merged_at && merge_commit_sha === commit)
}

/**
 * When people who may write to the repository approved exactly this commit of a pull request, the latest first; none if one of them asks for
 * changes. A later comment of the same reviewer takes no approval back, as on GitHub.
 */
export async function approvalsOf({ number, head }) {
  const latest = new Map()
  for (const review of await all(`${repository()}/pulls/${number}/reviews`))
    if (['APPROVED', 'CHANGES_REQUESTED', 'DISMISSED'].includes(review.state)) latest.set(review.user?.login, review)
  const counted = []
  for (const [login, review] of latest)
    if (review.user?.type === 'User' && (await mayWrite(login))) counted.push(review)
  if (counted.some(({ state }) => state === 'CHANGES_REQUESTED')) return []
  return counted
    .filter(({ state, commit_id }) => state === 'APPROVED' && commit_id === head.sha)
    .map(({ submitted_at, user }) => ({ at: Date.parse(submitted_at), by: user.login }))
    .toSorted((one, other) => other.at - one.at)
}

async function mayWrite(login) {
  const { permission } = await get(`${repository()}/collaborators/${encodeURIComponent(login)}/permission`)
  return permission === 'admin' || permission === 'write'
}

/** Artifacts of this name that runs for one of these commits made, in the repository itself and not in a fork; the latest first. */
export async function artifactsOf(name, commits) {
  const found = await all(`${repository()}/actions/artifacts?name=${encodeURIComponent(name)}`, 'artifacts')
  return found
    .filter(({ expired, workflow_run: run }) => {
      return !expired && commits.includes(run?.head_sha) && run.head_repository_id === run.repository_id
    })
    .map(({ id, created_at, workflow_run }) => ({ id, at: Date.parse(created_at), run: workflow_run.id }))
    .toSorted((one, other) => other.at - one.at)
}

/** The text of a file in an artifact, which GitHub gives as a zip. */
export async function fileIn({ id }, name) {
  const answer = await send('GET', `${repository()}/actions/artifacts/${id}/zip`)
  const zip = await yauzl.fromBufferPromise(Buffer.from(await answer.arrayBuffer()), { lazyEntries: true })
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== name) continue
    if (entry.uncompressedSize > largestPlan) throw new Error(`${name} is too large`)
    const chunks = []
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk)
    return Buffer.concat(chunks).toString('utf8')
  }
  throw new Error(`there is no ${name} in it`)
}
