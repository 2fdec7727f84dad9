import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { worldOf } from '../support/world.ts'

const stranger = 4711

/** A site, a profile with a password for it, and a folder of a project with this `.calctl.json`. */
async function project(settings: (url: string) => object, sudo: Record<string, string> = {}) {
  const requests: string[] = []
  const site = createServer(({ url, headers }, response) => {
    requests.push(`${url} ${headers.authorization}`)
    response.setHeader('content-type', 'application/json').end('{"tags":[],"total":0,"total_pages":0}')
  })
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
  const root = mkdtempSync(join(tmpdir(), 'calctl-trust-'))
  onTestFinished(() => {
    site.close()
    rmSync(root, { recursive: true, force: true })
  })
  const address = site.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = `http://127.0.0.1:${address.port}`
  const cwd = join(root, 'project')
  const file = join(cwd, '.calctl.json')
  const trusted = join(root, 'config/calctl/trusted.json')
  mkdirSync(cwd)
  const env = {
    XDG_CONFIG_HOME: join(root, 'config'),
    XDG_DATA_HOME: root,
    XDG_STATE_HOME: root,
    SITE: 'sesame',
    ...sudo,
  }
  const calctl = worldOf({ cwd, env })
  await calctl(`profiles add site --base-url ${url} --user ada --secret env:SITE`)
  await calctl('profiles use site')
  const write = (content: object) => writeFileSync(file, JSON.stringify(content))
  write(settings(url))
  return { calctl, write, requests, url, root, cwd, file, trusted, env }
}

const login = `Basic ${Buffer.from('ada:sesame').toString('base64')}`
const refusal = (file: string, why: string) => ({
  status: 3,
  out: '',
  err: `error: ${file} ${why} cannot be used with credentials\nhint: check its contents, then run: calctl trust\n`,
})

/** Makes somebody else the owner: of the file, or, for tests that are not run as root, of this process. */
function giveAway(path: string): void {
  if (process.geteuid?.() === 0) chownSync(path, stranger, stranger)
  else becomeStranger()
}

function becomeStranger(uid = stranger): void {
  const spy = vi.spyOn(process as { geteuid(): number }, 'geteuid').mockReturnValue(uid)
  onTestFinished(() => spy.mockRestore())
}

test.each([
  ['base URL', (url: string) => ({ baseUrl: `${url}/other` }), 'baseUrl', '/other/calendar/events/v1/tags'],
  ['namespace', () => ({ namespace: 'attack/v1' }), 'namespace', '/attack/v1/tags'],
  [
    'base URL and namespace',
    (url: string) => ({ baseUrl: url, namespace: 'a/v1' }),
    'baseUrl and namespace',
    '/a/v1/tags',
  ],
])('the %s of a project file gets no credentials before calctl trust', async (_, settings, named, path) => {
  const { calctl, requests, file } = await project(settings)
  expect(await calctl('tags list')).toEqual(refusal(file, `is not trusted: its ${named}`))
  expect(await calctl('tags create --name Jazz')).toMatchObject({ status: 3 })
  expect(requests).toEqual([])
  const trust = await calctl('trust')
  expect(trust).toMatchObject({ status: 0, err: expect.stringContaining(`trusted ${file}: `) })
  for (const [key, value] of Object.entries(JSON.parse(readFileSync(file, 'utf8'))))
    expect(trust.err).toContain(`${key} ${value}`)
  expect(await calctl('tags list')).toMatchObject({ status: 0 })
  expect(requests[0]).toBe(`${path} ${login}`)
})

test('a project file that changed after it was trusted has to be trusted again', async () => {
  const { calctl, write, requests, file } = await project(() => ({ namespace: 'a/v1' }))
  await calctl('trust')
  write({ namespace: 'b/v1' })
  expect(await calctl('tags list')).toEqual(refusal(file, 'changed after it was trusted: its namespace'))
  expect(requests).toEqual([])
  await calctl('trust')
  expect((await calctl('tags list')).status).toBe(0)
})

test('calctl trust --remove takes the trust back, also from a file that is broken by now', async () => {
  const { calctl, write, file, trusted } = await project(() => ({ namespace: 'a/v1' }))
  await calctl('trust')
  expect(statSync(trusted).mode & 0o777).toBe(0o600)
  writeFileSync(file, '{')
  expect(await calctl('trust --remove')).toEqual({ status: 0, out: '', err: `${file} is no longer trusted\n` })
  expect(await calctl('trust --remove')).toEqual({ status: 0, out: '', err: `${file} was not trusted\n` })
  write({ namespace: 'a/v1' })
  expect(await calctl('tags list')).toEqual(refusal(file, 'is not trusted: its namespace'))
})

test('options, and a project file that names only a language, need no trust', async () => {
  const { calctl, write, requests, url, file } = await project(() => ({
    baseUrl: 'https://elsewhere.example',
    namespace: 'a/v1',
  }))
  expect((await calctl(`tags list --base-url ${url} --namespace b/v1`)).status).toBe(0)
  write({ lang: 'en', lint: {} })
  expect((await calctl('tags list')).status).toBe(0)
  expect(requests).toEqual([expect.stringContaining(login), expect.stringContaining(login)])
  write({ lint: {} })
  expect((await calctl('trust')).err).toBe(`${file} needs no trust: it chooses no calendar\n`)
})

test('without credentials an untrusted project file is used, and gets none', async () => {
  const { calctl, requests } = await project(url => ({ profile: 'local', baseUrl: url, namespace: 'a/v1' }))
  expect((await calctl('tags list')).status).toBe(0)
  expect(requests).toEqual([expect.stringMatching(/^\/a\/v1\/tags.* undefined$/)])
})

test('a project file of somebody else is not used with credentials, and cannot be trusted', async () => {
  const { calctl, requests, file } = await project(() => ({ namespace: 'a/v1' }))
  await calctl('trust')
  giveAway(file)

  for (const line of ['tags list', 'trust'])
    expect(await calctl(line)).toMatchObject({
      status: 3,
      err: expect.stringMatching(/belongs to another user \(ID \d+\): .*\nhint: give --base-url and --namespace/),
    })
  expect(requests).toEqual([])
  expect((await calctl('trust --remove')).status).toBe(0)
})

test('under sudo the project file of who called it can be trusted, by root', async () => {
  const { calctl, file, cwd, env } = await project(() => ({ namespace: 'a/v1' }))
  if (process.geteuid?.() === 0) chownSync(file, stranger, stranger)
  else becomeStranger(0)
  const sudo = worldOf({ cwd, env: { ...env, SUDO_UID: String(statSync(file).uid) } })
  expect((await calctl('tags list')).err).toContain('belongs to another user')
  expect((await sudo('tags list')).err).toContain('then run: sudo calctl trust\n')
  expect((await sudo('trust')).status).toBe(0)
  expect((await sudo('tags list')).status).toBe(0)
})

test('a link to a trusted file has to be trusted by its own path', async () => {
  const { calctl, root, file, env } = await project(() => ({ namespace: 'a/v1' }))
  await calctl('trust')
  const other = join(root, 'other')
  mkdirSync(other)
  symlinkSync(file, join(other, '.calctl.json'))
  const there = worldOf({ cwd: other, env })
  expect(await there('tags list')).toEqual(refusal(join(other, '.calctl.json'), 'is not trusted: its namespace'))
})

test('a damaged list of trusted files trusts nothing, and is written anew', async () => {
  const { calctl, file, trusted } = await project(() => ({ namespace: 'a/v1' }))
  for (const text of ['{', '[]', 'null', `{"${file}":{"toString":1}}`]) {
    writeFileSync(trusted, text)
    expect((await calctl('tags list')).status).toBe(3)
    expect((await calctl('trust')).status).toBe(0)
    expect((await calctl('tags list')).status).toBe(0)
  }
})

test('twenty folders trusted at once are all trusted', async () => {
  const { root, trusted, env } = await project(() => ({}))
  const folders = Array.from({ length: 20 }, (_, number) => join(root, `folder${number}`))
  for (const cwd of folders) {
    mkdirSync(cwd)
    writeFileSync(join(cwd, '.calctl.json'), '{"namespace":"a/v1"}')
  }
  await Promise.all(folders.map(cwd => worldOf({ cwd, env })('trust')))
  expect(Object.keys(JSON.parse(readFileSync(trusted, 'utf8')))).toHaveLength(20)
})

test('profiles show and list say what the project file sets, and whether it is trusted', async () => {
  const { calctl, write, file } = await project(() => ({ profile: 'site', namespace: 'a/v1' }))
  for (const line of ['profiles show', 'profiles list'])
    expect((await calctl(line)).err).toBe(
      `${file} sets profile site and namespace a/v1\n${file} is not trusted: its profile and namespace cannot be used with credentials\nhint: check its contents, then run: calctl trust\n`,
    )
  await calctl('trust')
  expect((await calctl('profiles show')).err).toBe(`${file} sets profile site and namespace a/v1, and is trusted\n`)
  write({ namespace: 'b/v1' })
  expect((await calctl('profiles show')).err).toContain(`${file} changed after it was trusted: its namespace cannot`)
  write({ lang: 'en' })
  expect(await calctl('profiles show -q --json')).toMatchObject({ status: 0, err: '' })
  expect((await calctl('profiles show')).err).toBe(`${file} sets lang en\n`)
})

test('without a project file there is nothing to trust', async () => {
  const { calctl, file } = await project(() => ({}))
  rmSync(file)
  expect(await calctl('trust')).toEqual({
    status: 3,
    out: '',
    err: 'error: no .calctl.json in this folder or above, and no sources.yaml in it\nhint: change to the folder of a project, or create the file there\n',
  })
})
