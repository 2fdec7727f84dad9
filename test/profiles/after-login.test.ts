import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { json, type Stage, stagedSite } from '../support/staged-site.ts'

const unset = {
  CALCTL_BASE_URL: undefined,
  CALCTL_NAMESPACE: undefined,
  CALCTL_USER: undefined,
  CALCTL_PASSWORD: undefined,
}

async function site(stage: Stage = {}) {
  const staged = await stagedSite(stage)
  return { ...staged, calctl: staged.calctlWith(unset) }
}

test('login ends with what the doctor found, in six requests', async () => {
  const { calctl, origin, seen } = await site()
  const { status, err } = await calctl(`login ${origin} --user admin --password-stdin --name town`, 'secret\n')
  expect([status, err]).toEqual([0, expect.stringMatching(/\n\d+ checks passed; details: calctl doctor -p town\n$/)])
  expect(seen.length).toBeLessThanOrEqual(6)
})

test('login says what a user may not do, and whom to ask', async () => {
  const { calctl, origin } = await site()
  const { status, err } = await calctl(`login ${origin} --user guest --password-stdin --name town`, 'secret\n')
  expect([status, err]).toEqual([0, expect.stringContaining('✗ publishing: guest may not publish events')])
  expect(err).toContain('→ ask an administrator of the site for the role Editor')
})

test('login and doctor show their requests with --debug, without the password', async () => {
  const { calctl, origin } = await site()
  const login = await calctl(`login ${origin} --user admin --password-stdin --name town --debug`, 'secret\n')
  expect(login.err).toContain(`GET ${origin}/ → 200`)
  expect(login.err).toContain('/wp-json/wp/v2/users/me')
  const doctor = await calctl('doctor -p town --print-curl')
  expect(doctor.err).toContain(`curl -H 'accept: application/json' ${origin}/wp-json/`)
  expect(login.err + doctor.err).not.toContain(Buffer.from('admin:secret').toString('base64'))
})

test('the download of a feed is shown with --debug', async () => {
  const { calctlWith, folder } = await site()
  const server = createServer((_, response) => response.end('name\nJazz\n'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const sheet = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tags.csv`
  const calctl = calctlWith({}, { cwd: folder })
  const { err } = await calctl(`apply ${sheet} --resource tags --dry-run --debug`)
  expect(err).toContain(`GET ${sheet} → 200`)
})

test('api refuses a field that is given twice', async () => {
  const { calctlWith, folder, seen } = await site()
  const calctl = calctlWith({}, { cwd: folder })
  const { status, err } = await calctl('api POST tags -f name=1 -f name=2')
  expect([status, err]).toEqual([2, expect.stringContaining('the field "name" is given twice')])
  expect(seen).toEqual([])
})

test('api --paginate does not read a list that never ends', async () => {
  const { calctlWith } = await site({
    answer: ({ url }) => (url.includes('/tags') ? json(200, { tags: [], total_pages: 1e9 }) : undefined),
  })
  const { status, err } = await calctlWith({})('api GET tags --paginate')
  expect([status, err]).toEqual([4, expect.stringContaining('reports 1000000000 pages')])
})

test('doctor names the languages of the stand-in, and says of another one that it is not named', async () => {
  const { calctlWith } = await site()
  const languages = (out: string) => /languages +(.*)/.exec(out)?.[1]
  expect(languages((await calctlWith({})('doctor --lang ca')).out)).toBe('ca, en and es')
  const english = await site({
    answer: ({ url }) =>
      url === '/' ? { status: 200, headers: { 'content-type': 'text/html' }, body: '<html lang="en-US">' } : undefined,
  })
  const { out } = await english.calctlWith({})('doctor --lang ca')
  expect(languages(out)).toContain('en-US only; ca, the language in use, was not found')
})
