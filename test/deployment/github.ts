import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import yazl from 'yazl'

/** Answers of GitHub's REST API (version 2022-11-28) in the form of the examples in its documentation, as far as they matter here. */

interface Comment {
  readonly id: number
  body: string | null
  readonly user: { readonly type: string }
}

interface Issue extends Comment {
  readonly number: number
  title: string
  state: string
  readonly pull_request?: object
}

const user = (login: string, type = 'User') => ({ login, id: login.length, type, site_admin: false })

/** A pull request that was merged: a commit of its own, and the one that the merge made. */
export const merged = {
  number: 7,
  state: 'closed',
  user: user('pau'),
  merged_at: '2026-12-01T08:50:00Z',
  merge_commit_sha: 'e5bd3914e2e596debea16f433f57875b5b90bcd6',
  head: { ref: 'hivern', sha: '6dcb09b5b57875f334f61aebed695e2e4193db5e' },
  base: { ref: 'main', sha: 'c3d0be41ecbe669545ee3e94d31ed9a4bc91ee3c' },
}

/** A review of it, by somebody who may write unless the test says otherwise. */
export const review = (changes: object = {}) => ({
  id: 80,
  user: user('nuria'),
  body: '',
  state: 'APPROVED',
  commit_id: merged.head.sha,
  submitted_at: '2026-12-01T08:45:00Z',
  author_association: 'COLLABORATOR',
  ...changes,
})

interface Left {
  readonly comments?: Comment[]
  readonly artifacts?: { readonly listed: Record<string, unknown>; readonly zip: Uint8Array }[]
  /** Whether every write is refused. */
  readonly refused?: boolean
}

/** A repository on GitHub with what the action finds and leaves there, perhaps from an earlier run, and the address of its API. */
export async function repository({ comments = [], artifacts = [], refused = false }: Left = {}) {
  const issues: Issue[] = []
  const reviews: object[] = []
  const permissions: Record<string, string> = { nuria: 'write', pau: 'write' }
  const asked: string[] = []
  const bot = user('github-actions[bot]', 'Bot')

  const lists: Readonly<Record<string, () => unknown>> = {
    'GET /issues/7/comments': () => comments,
    'GET /issues': () => issues.filter(({ state }) => state === 'open'),
    'GET /pulls/7/reviews': () => reviews,
    [`GET /commits/${merged.merge_commit_sha}/pulls`]: () => [merged],
    'GET /actions/artifacts': () => ({
      total_count: artifacts.length,
      artifacts: artifacts.map(({ listed }) => listed),
    }),
  }

  function answer(route: string, body: Record<string, string>) {
    const list = lists[route]
    if (list) return list()
    const [method, , kind, id] = route.split(/[ /]/)
    if (/^GET \/commits\/\w+\/pulls$/.test(route)) return []
    if (method === 'POST' && kind === 'issues' && id) {
      comments.push({ id: comments.length + 1, body: body.body ?? '', user: bot })
      return comments.at(-1)
    }
    if (route === 'POST /issues') {
      const number = issues.length + 10
      issues.push({ id: number, number, title: body.title ?? '', body: body.body ?? '', state: 'open', user: bot })
      return issues.at(-1)
    }
    const comment = /^PATCH \/issues\/comments\/(\d+)$/.exec(route)
    const issue = /^PATCH \/issues\/(\d+)$/.exec(route)
    const changed = comment
      ? comments.find(one => one.id === Number(comment[1]))
      : issues.find(one => one.number === Number(issue?.[1]))
    if (changed) return Object.assign(changed, body)
    const login = /^GET \/collaborators\/([^/]+)\/permission$/.exec(route)?.[1]
    if (login) return { permission: permissions[login] ?? 'read', role_name: 'x', user: user(login) }
    return undefined
  }

  async function respond(request: IncomingMessage) {
    const text = (await buffer(request)).toString()
    if (request.headers.authorization !== 'Bearer of-the-run') return { status: 401 }
    if (refused && request.method !== 'GET') return { status: 403 }
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    const path = pathname.replace('/repos/town/agenda', '')
    asked.push(`${request.method} ${path}`)
    const archive = /^\/actions\/artifacts\/(\d+)\/zip$/.exec(path)
    if (archive) return { status: 302, location: `/blob/${archive[1]}` }
    const found = answer(`${request.method} ${path}`, text === '' ? {} : JSON.parse(text))
    if (found === undefined) return { status: 404 }
    return { status: 200, body: JSON.stringify(Array.isArray(found) && searchParams.get('page') !== '1' ? [] : found) }
  }

  const server = createServer(async (request, response) => {
    const blob = /^\/blob\/(\d+)$/.exec(request.url ?? '')
    if (blob) return response.end(artifacts[Number(blob[1]) - 1]?.zip)
    const { status, body, location } = await respond(request)
    return response.writeHead(status, location ? { location } : {}).end(body)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** What `actions/upload-artifact` does for a run; one with the same name is replaced. */
  async function keep(
    name: string,
    path: string,
    run: { readonly sha: string; readonly fork?: boolean; readonly at?: string },
  ) {
    const zip = new yazl.ZipFile()
    const files = statSync(path).isDirectory() ? readdirSync(path).map(file => join(path, file)) : [path]
    for (const file of files) zip.addBuffer(readFileSync(file), basename(file))
    zip.end()
    const id = artifacts.length + 1
    const listed = {
      id,
      name,
      size_in_bytes: 453,
      url: `${api}/repos/town/agenda/actions/artifacts/${id}`,
      archive_download_url: `${api}/repos/town/agenda/actions/artifacts/${id}/zip`,
      expired: false,
      created_at: run.at ?? '2026-12-01T08:40:00Z',
      expires_at: '2027-03-01T08:40:00Z',
      workflow_run: {
        id: 2332938,
        repository_id: 1296269,
        head_repository_id: run.fork ? 1296270 : 1296269,
        head_branch: 'hivern',
        head_sha: run.sha,
      },
    }
    artifacts.push({ listed, zip: await buffer(zip.outputStream) })
    return `https://github.test/town/agenda/actions/runs/2332938/artifacts/${id}`
  }
  return { api, artifacts, asked, comments, issues, keep, permissions, reviews }
}
