import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { readPassword } from '../../src/cli/profiles/kept-passwords.ts'
import { lacksWordPress, rememberNoWordPress } from '../../src/cli/profiles/site-notes.ts'
import type { World } from '../../src/cli/world.ts'
import { passTime } from '../support/pass-time.ts'
import { startServe } from '../support/start-serve.ts'
import { worldOf } from '../support/world.ts'

const root = mkdtempSync(join(tmpdir(), 'calctl-profiles-'))
afterAll(() => rmSync(root, { recursive: true }))

/** An empty home folder, and `calctl` in it. */
function emptyHome(env: Record<string, string> = {}) {
  const home = mkdtempSync(join(root, 'home-'))
  const body = '{"events":[],"total":0,"total_pages":0}'
  const calctl = worldOf({
    transport: async () => ({ status: 200, headers: {}, body }),
    env: { HOME: home, ...env },
    cwd: home,
  })
  return { home, calctl, config: join(home, '.config/calctl/config.json') }
}

const done = (err: string) => ({ status: 0, out: '', err: `${err}\n` })

test('two profiles on one command line are refused, as the last one would be taken silently', async () => {
  expect(await worldOf({})('events list -p town -p museum')).toEqual({
    status: 2,
    out: '',
    err: 'error: --profile is given twice: town and museum\nhint: run the command for each: for profile in town museum; do calctl -p "$profile" …; done\n',
  })
})

test('profiles are added, listed, used, changed and removed', async () => {
  const { calctl, home } = emptyHome()
  const embedded = `file://${home}/.local/share/calctl/calendar.json`
  expect(await calctl('profiles list')).toEqual({ status: 0, out: `local\ttrue\t${embedded}\t\t\t\tfalse\n`, err: '' })
  expect(await calctl('profiles add town --base-url http://127.0.0.1:8787/ --lang ca')).toEqual(
    done('added town; use it by default with: calctl profiles use town'),
  )
  expect(await calctl('profiles list -o ids')).toEqual({ status: 0, out: 'local\ntown\n', err: '' })
  expect(await calctl('profiles use town')).toEqual(done('default profile: town'))
  expect(await calctl('profiles edit town --namespace /tribe/events/v1/ --protected')).toEqual(done('changed town'))
  expect(await calctl('profiles show')).toEqual({
    status: 0,
    out: 'town\ttrue\thttp://127.0.0.1:8787\tca\ttribe/events/v1\t\ttrue\n',
    err: '',
  })
  expect(await calctl('profiles remove town')).toEqual(done('removed town; default profile: local'))
  expect(await calctl('profiles list -o ids')).toEqual({ status: 0, out: 'local\n', err: '' })
})

test('profiles edit without a change is refused', async () => {
  const { calctl } = emptyHome()
  await calctl('profiles add town --base-url http://127.0.0.1:8787')
  expect(await calctl('profiles edit town')).toEqual({
    status: 2,
    out: '',
    err: 'error: nothing to change\nhint: list the settings with: calctl profiles edit --help\n',
  })
})

test('profiles show prints the sources of secrets, not the secrets', async () => {
  const { calctl } = emptyHome({ SITE_PASSWORD: 'sesame', SITE_KEY: 'mica' })
  await calctl(
    "profiles add site --base-url https://example.org/wp-json --base-url-for en=https://example.org/en/wp-json --user ada --secret env:SITE_PASSWORD --header 'X-Key: env:SITE_KEY'",
  )
  const { out } = await calctl('profiles show site --json')
  expect(JSON.parse(out)).toEqual({
    name: 'site',
    inUse: false,
    baseUrl: 'https://example.org/wp-json',
    baseUrls: { en: 'https://example.org/en/wp-json' },
    lang_code: null,
    namespace: null,
    user: 'ada',
    secret: 'env:SITE_PASSWORD',
    frontUser: null,
    frontSecret: null,
    headers: { 'X-Key': 'env:SITE_KEY' },
    protected: false,
  })
})

test('--clear removes a setting, and keeps the others', async () => {
  const { calctl } = emptyHome()
  await calctl(
    'profiles add site --base-url https://example.org --lang en --user ada --secret env:SITE_PASSWORD --protected',
  )
  await calctl('profiles edit site --clear lang,secret --no-protected')
  const { out } = await calctl('profiles show site --json --fields baseUrl,lang_code,user,secret,protected')
  expect(JSON.parse(out)).toEqual({
    baseUrl: 'https://example.org',
    lang_code: null,
    user: 'ada',
    secret: null,
    protected: false,
  })
})

test('only the user can read the configuration', async () => {
  const { calctl, config } = emptyHome()
  await calctl('profiles add town --base-url http://127.0.0.1:8787')
  expect(statSync(config).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({ profiles: { town: { baseUrl: 'http://127.0.0.1:8787' } } })
})

test('a password from stdin is stored in a file of its own and never printed', async () => {
  const { calctl, home, config } = emptyHome()
  const added = await calctl('profiles add site --base-url https://example.org --user ada --password-stdin', 'sesame\n')
  expect(added).toEqual(done('added site; use it by default with: calctl profiles use site'))
  const file = join(home, '.config/calctl/secrets/site')
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['sesame\n', 0o600])
  expect((await calctl('profiles show site --json')).out).not.toContain('sesame')
  expect(readFileSync(config, 'utf8')).not.toContain('sesame')
  await calctl('profiles remove site')
  expect(() => statSync(file)).toThrow('ENOENT')
})

test('a password is read whole if a pipe splits it within a character', async () => {
  const bytes = Buffer.from('sèsam\n')
  const stdin = Readable.from([bytes.subarray(0, 2), bytes.subarray(2)])
  expect(await readPassword({ stdin })).toBe('sèsam')
})

test('a folder where no password can be stored is reported immediately', async () => {
  const { calctl } = emptyHome({ XDG_CONFIG_HOME: '/proc/calctl' })
  const added = await calctl('profiles add site --base-url https://a.example --user a --password-stdin', 'sesame\n')
  expect(added).toEqual({
    status: 3,
    out: '',
    err: expect.stringMatching(
      /^error: cannot write \/proc\/calctl\/calctl\/config.json: its folder does not exist\nhint: check that you may write to the folder, .*\n$/,
    ),
  })
})

test('a secret from every kind of source reaches the site of the profile', async () => {
  const seen: (string | undefined)[] = []
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization)
    response.end('{"events":[],"total":0,"total_pages":0}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : ''
  const { calctl, home } = emptyHome({ SITE_PASSWORD: 'sesame' })
  writeFileSync(join(home, 'secret'), 'sesame\n', { mode: 0o600 })
  for (const source of ['env:SITE_PASSWORD', 'file:secret', "'command:echo sesame; echo more'"]) {
    await calctl(`profiles add site --base-url ${url} --user ada --secret ${source}`)
    expect(await calctl('events list -p site -o count'), source).toEqual({ status: 0, out: '0\n', err: '' })
    await calctl('profiles remove site')
  }
  server.close()
  expect(seen).toEqual(Array(3).fill('Basic YWRhOnNlc2FtZQ=='))
})

test('a secret that cannot be read is reported before anything is sent', async () => {
  const { calctl, home } = emptyHome()
  writeFileSync(join(home, 'secret'), 'sesame\n')
  chmodSync(join(home, 'secret'), 0o644)
  const errorFor = async (source: string) => {
    await calctl(`profiles add site --base-url http://127.0.0.1:1 --user ada --secret ${source}`)
    const { status, err } = await calctl('events list -p site')
    await calctl('profiles remove site')
    expect(status).toBe(3)
    return err
  }
  expect(await errorFor('env:SITE_PASSWORD')).toBe(
    'error: cannot read the secret: the environment variable SITE_PASSWORD is not set\nhint: set it: export SITE_PASSWORD=…\n',
  )
  expect(await errorFor('file:secret')).toBe(
    `error: cannot use the secret: others besides its owner can read ${home}/secret\nhint: restrict it with: chmod 600 ${home}/secret\n`,
  )
  expect(await errorFor('file:nowhere')).toMatch(/^error: cannot read the secret: .*nowhere: no such file/)
  expect(await errorFor("'command:exit 3'")).toMatch(
    /^error: cannot read the secret: the command exited with status 3: exit 3\n/,
  )
  expect(await errorFor("'command:true'")).toMatch(/^error: the secret of command:true is empty\n/)
})

test('a secret command that takes too long is ended, with its child processes', async () => {
  const { calctl, home } = emptyHome()
  await calctl(
    "profiles add site --base-url http://127.0.0.1:1 --user ada --secret 'command:sleep 60 & echo $! > child; wait'",
  )
  const file = join(home, 'child')
  const hasChild = () => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n')
  expect(await passTime(300, hasChild, () => calctl('events list -p site --timeout 300ms --retries 0'))).toEqual({
    status: 3,
    out: '',
    err: 'error: cannot read the secret: this command did not end within 0.3 s: sleep 60 & echo $! > child; wait\nhint: wait longer with: --timeout 2m\n',
  })
  const child = Number(readFileSync(file, 'utf8'))
  await expect.poll(() => isRunning(child)).toBe(false)
})

/** A process that ended and was not waited for is a zombie. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

test('writing to a protected profile requires its name', async () => {
  const { calctl, home } = emptyHome()
  await calctl(`profiles add site --base-url file:${home}/site.json --protected`)
  expect(await calctl('tags create --name Jazz -p site')).toEqual({
    status: 8,
    out: '',
    err: 'error: the profile site is protected\nhint: to write to it add: --confirm site\n',
  })
})

const mistakes: [line: string, status: number, error: string][] = [
  ['profiles add site', 2, 'missing --base-url'],
  ['profiles add local --base-url https://a.example', 2, 'profile local already exists'],
  [
    "profiles add 'a b' --base-url https://a.example",
    2,
    'name: expected letters, digits, dots, dashes and underscores, got "a b"',
  ],
  ['profiles add site --base-url a.example', 2, '--base-url: expected https://'],
  ['profiles add site --base-url https://a:b@a.example', 2, '--base-url: a base URL must not contain credentials'],
  [
    'profiles add site --base-url https://a.example?x=1',
    2,
    '--base-url: a base URL must not contain ?, other than ?rest_route= at its end',
  ],
  ['profiles add site --base-url https://a.example --base-url-for fr=https://b.example', 2, '--base-url-for: expected'],
  [
    'profiles add site --base-url https://a.example --user a --secret hunter2',
    2,
    '--secret: expected the source of the secret',
  ],
  [
    "profiles add site --base-url https://a.example --header 'X-Key: hunter2'",
    2,
    '--header: expected the source of the secret',
  ],
  ['profiles add site --base-url https://a.example --secret env:A', 2, 'a secret needs a user name'],
  ['profiles add site --base-url https://a.example --password hunter2', 2, "unknown option '--password'"],
  [
    'profiles add site --base-url https://a.example --user a --password-stdin',
    2,
    '--password-stdin: no password on stdin',
  ],
  [
    'profiles add site --base-url https://a.example --user a --secret env:A --password-stdin',
    2,
    '--secret and --password-stdin',
  ],
  ['profiles edit local --base-url https://a.example', 2, 'local is the embedded calendar'],
  ['profiles edit local --clear colour', 2, '--clear: no setting "colour"'],
  ['profiles remove local', 2, 'cannot remove local, the embedded calendar'],
  ['profiles use nowhere', 3, 'no profile "nowhere"'],
  ['profiles show nowhere', 3, 'no profile "nowhere"'],
  ['profiles edit nowhere --lang en', 3, 'no profile "nowhere"'],
  ['profiles remove nowhere', 3, 'no profile "nowhere"'],
]

for (const [line, status, error] of mistakes)
  test(`calctl ${line.replace('hunter2', '…')} changes nothing`, async () => {
    const { calctl, config } = emptyHome()
    const outcome = await calctl(line)
    expect(outcome).toMatchObject({ status, out: '' })
    expect(outcome.err).toContain(`error: ${error}`)
    expect(outcome.err).not.toContain('hunter2')
    expect(() => statSync(config)).toThrow('ENOENT')
  })

test('what is said about the settings is said once, although an undo connects again in the language of its run', async () => {
  const server = await startServe('--memory --port 0')
  if (!('url' in server)) throw new Error(server.err)
  onTestFinished(async () => void (await server.stop()))
  const home = mkdtempSync(join(root, 'home-'))
  const env = { HOME: home, TOWN: 'sesame' }
  const at = (others: object) => worldOf({ env: { ...env, ...others }, cwd: home, now: () => new Date() })
  const calctl = at({})
  await calctl('profiles add town --base-url https://town.example/wp-json --user ada --secret env:TOWN')
  const flags = `-p town --base-url ${server.url}`
  const notice = 'the credentials of the profile town are not sent to '
  const timesSaid = ({ err }: { err: string }) => err.split(notice).length - 1
  expect((await calctl(`tags create --lang es --name Jazz ${flags}`)).status).toBe(0)
  const undone = await calctl(`undo --yes ${flags}`)
  expect(undone.status, undone.err).toBe(0)
  expect(timesSaid(undone)).toBe(1)
  expect((await calctl(`tags create --name Blues ${flags}`)).status).toBe(0)
  const refused = await at({ CALCTL_LANG: 'en' })(`undo --yes ${flags}`)
  expect(refused).toMatchObject({ status: 7, err: expect.stringContaining('unset CALCTL_LANG') })
  expect(timesSaid(refused)).toBe(1)
})

/** Command lines with a folder for profiles, which is removed after the test. */
function withProfiles() {
  const home = mkdtempSync(join(tmpdir(), 'calctl-profiles-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return { home, calctl: worldOf({ env: { HOME: home } }) }
}

const names = Array.from({ length: 20 }, (_, index) => `site${index}`)
const add = (name: string) => `profiles add ${name} --base-url https://${name}.example/wp-json`

test('twenty profiles that are added at once are all kept', async () => {
  const { home, calctl } = withProfiles()
  const added = await Promise.all(names.map(name => calctl(add(name))))
  expect(added.filter(({ status }) => status !== 0)).toEqual([])
  const { out } = await calctl('profiles list --fields name -o ids')
  expect(out.split('\n').filter(Boolean).toSorted()).toEqual(['local', ...names].toSorted())
  expect(readdirSync(join(home, '.config/calctl'))).toEqual(['config.json'])
})

test('profiles that are changed and removed at once keep what each command did', async () => {
  const { calctl } = withProfiles()
  for (const name of names.slice(0, 3)) await calctl(add(name))
  const lines = ['profiles edit site0 --lang en', 'profiles remove site1', 'profiles use site2', add('site3')]
  for (const { status } of await Promise.all(lines.map(line => calctl(line)))) expect(status).toBe(0)
  const { out } = await calctl('profiles list --fields name,lang_code --json')
  expect(JSON.parse(out)).toMatchObject([
    { name: 'local' },
    { name: 'site0', lang_code: 'en' },
    { name: 'site2' },
    { name: 'site3' },
  ])
})

test('of two profiles of one name, the second is refused and keeps the password of the first', async () => {
  const { calctl } = withProfiles()
  const both = await Promise.all([
    calctl(`${add('town')} --user ada --password-stdin`, 'one\n'),
    calctl(`${add('town')} --user bo --password-stdin`, 'two\n'),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual([0, 2])
})

test('what is found out about twenty sites at once is all remembered', async () => {
  const { home } = withProfiles()
  const parts: Partial<World> = {
    env: { HOME: home },
    platform: 'linux',
    now: () => new Date('2026-11-21T02:00:00Z'),
  }
  const world = parts as World
  await Promise.all(names.map(name => rememberNoWordPress(world, name)))
  expect(names.filter(name => !lacksWordPress(world, name))).toEqual([])
})
