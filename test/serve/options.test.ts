import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServe } from '../support/start-serve.ts'

let cwd: string
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'calctl-'))
  await writeFile(join(cwd, 'users'), 'editor:secret\nmalformed secret\n')
})
afterAll(() => rm(cwd, { recursive: true }))

test.each([
  [
    '--memory --debug',
    'error: --debug has no effect on serve, which sends no requests\nhint: show the requests that it answers with: --log\n',
  ],
  [
    '--port 99999',
    'error: --port: expected a whole number from 0 to 65535, got "99999"\nhint: for example: --port 8787\n',
  ],
  [
    '--port http',
    'error: --port: expected a whole number from 0 to 65535, got "http"\nhint: for example: --port 8787\n',
  ],
  [
    '--per-page 0',
    'error: --per-page: expected a whole number from 1 to 50, got "0"\nhint: for example: --per-page 10\n',
  ],
  ['--base-path /a?b', 'error: --base-path: expected a path, got "/a?b"\nhint: for example: --base-path /wp-json\n'],
  [
    '--namespace "a b"',
    'error: --namespace: expected a path, got "a b"\nhint: for example: --namespace tribe/events/v1\n',
  ],
  [
    '--now noon',
    'error: --now: expected a time with a UTC offset, got "noon"\nhint: for example: --now 2026-11-21T02:00:00Z\n',
  ],
  [
    '--now "2026-11-21 02:00"',
    'error: --now: expected a time with a UTC offset, got "2026-11-21 02:00"\nhint: for example: --now 2026-11-21T02:00:00Z\n',
  ],
  [
    '--timezone Mars/Olympus',
    'error: --timezone: expected a time zone, got "Mars/Olympus"\nhint: for example: --timezone Europe/Madrid\n',
  ],
  [
    '--latency slow',
    'error: --latency: expected a duration or a range of durations, got "slow"\nhint: for example: --latency 50-400ms\n',
  ],
  [
    '--fail sometimes',
    'error: --fail: expected a percentage or a route, and a fault, got "sometimes"\nhint: for example: --fail 5%:503\n',
  ],
  [
    '--fail 60%:503 --fail 60%:reset',
    'error: --fail: the percentages add up to more than 100 %\nhint: use smaller percentages\n',
  ],
  [
    '--seed many',
    'error: --seed: expected a whole number from 0 to 4294967295, got "many"\nhint: for example: --seed 7\n',
  ],
  [
    '--cors app.example',
    'error: --cors: expected an origin: scheme, host and port, got "app.example"\nhint: for example: --cors https://app.example\n',
  ],
  [
    '--user joan:secret:auther',
    'error: --user: unknown role auther\nhint: use one of administrator, editor, author, contributor or subscriber\n',
  ],
  [
    '--user secret',
    'error: --user: expected NAME:PASSWORD or NAME:PASSWORD:ROLE\nhint: for example: --user joan:secret:author\n',
  ],
  [
    '--user editor:',
    'error: --user: expected NAME:PASSWORD or NAME:PASSWORD:ROLE\nhint: for example: --user joan:secret:author\n',
  ],
  [
    '--users-file users',
    'error: --users-file users, line 2: expected NAME:PASSWORD or NAME:PASSWORD:ROLE\nhint: for example: --user joan:secret:author\n',
  ],
  [
    '--host 0.0.0.0',
    'error: with --host 0.0.0.0 other machines could write to this calendar without a password\nhint: add --user NAME:PASSWORD, or --open to allow it\n',
  ],
  ['--demo --from town', 'error: --demo and --from cannot be used together\nhint: leave one of them out\n'],
  [
    '--demo --file users',
    'error: users already exists, and --demo needs a new file\nhint: serve it with: calctl serve --file users\n',
  ],
])('serve %s is refused', async (line, err) => expect(await startServe(line, { cwd })).toEqual({ status: 2, err }))

test('a missing users file is an error', async () => {
  expect(await startServe('--users-file nobody', { cwd })).toEqual({
    status: 3,
    err: `error: cannot read the users file ${cwd}/nobody: no such file\nhint: pass a file with NAME:PASSWORD or NAME:PASSWORD:ROLE on each line\n`,
  })
})

test('errors do not show passwords from the environment', async () => {
  expect(await startServe('', { cwd, env: { CALCTL_SERVE_USERS: 'editor:secret,hush' } })).toEqual({
    status: 2,
    err: 'error: CALCTL_SERVE_USERS: expected NAME:PASSWORD or NAME:PASSWORD:ROLE\nhint: for example: --user joan:secret:author\n',
  })
})
