import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { Target } from '../../src/cli/profiles/command-target.ts'
import { resolveTarget } from '../../src/cli/profiles/resolve.ts'
import { configFile, dataFile, runsFolder } from '../../src/cli/profiles/user-folders.ts'
import type { Config, Globals, World } from '../../src/cli/world.ts'

const root = mkdtempSync(join(tmpdir(), 'calctl-resolve-'))
afterAll(() => rmSync(root, { recursive: true }))

interface Setup {
  /** The configuration, or the text of its file. */
  config?: Config | string
  /** `.calctl.json` two folders above the current folder. */
  project?: object | string
  env?: Record<string, string>
}

const silent = { write: async () => {}, isTTY: false, columns: undefined }

function worldOf({ config, project, env = {} }: Setup): World {
  const home = mkdtempSync(join(root, 'home-'))
  const cwd = join(home, 'work/a/b')
  mkdirSync(cwd, { recursive: true })
  mkdirSync(join(home, '.config/calctl'), { recursive: true })
  const write = (path: string, content: unknown) =>
    writeFileSync(join(home, path), typeof content === 'string' ? content : JSON.stringify(content))
  if (config) write('.config/calctl/config.json', config)
  if (project) write('work/.calctl.json', project)
  return {
    args: [],
    env: { HOME: home, ...env },
    cwd,
    platform: 'linux',
    stdin: Readable.from([]),
    stdout: silent,
    stderr: silent,
    now: () => new Date(),
    sleep: async () => {},
    timeZone: () => 'Europe/Madrid',
    openPage: async () => {},
    startPager: async () => ({ write: async () => false, end: async () => false }),
    stopping: () => new AbortController().signal,
    stopSignal: () => new AbortController().signal,
    openCalendar: () => Promise.reject(new Error('nothing is opened here')),
  }
}

const resolve = (setup: Setup, globals: Globals = {}): Promise<Target> => resolveTarget(worldOf(setup), globals)

const baseUrlOf = ({ place }: Target) => (place.kind === 'http' ? place.baseUrl : place.kind)

const town: Config = {
  current: 'town',
  profiles: {
    town: {
      baseUrl: 'https://town.example/wp-json',
      baseUrls: { en: 'https://town.example/en/wp-json' },
      lang: 'ca',
      namespace: 'tribe/events/v1',
      user: 'ada',
      secret: 'env:TOWN',
      protected: true,
    },
  },
}

test('without settings, calctl uses the embedded calendar', async () => {
  const world = worldOf({})
  expect(await resolveTarget(world, {})).toMatchObject({
    profile: 'local',
    place: { kind: 'file', file: join(world.env.HOME ?? '', '.local/share/calctl/calendar.json') },
    language: undefined,
    namespace: 'calendar/events/v1',
    protected: false,
    notices: [],
  })
})

test('the current profile sets the base URL, the user and the language', async () => {
  const target = await resolve({ config: town, env: { TOWN: 'sesame' } })
  expect(target).toMatchObject({
    profile: 'town',
    place: { kind: 'http', baseUrl: 'https://town.example/wp-json' },
    language: 'ca',
    sendLanguage: true,
    namespace: 'tribe/events/v1',
    protected: true,
    notices: [],
  })
  expect(await target.credentials()).toEqual({ authorization: 'Basic YWRhOnNlc2FtZQ==' })
})

test('an option overrides the environment, the project file and the profile, in this order', async () => {
  const setup = {
    config: town,
    project: { baseUrl: 'https://project.example', lang: 'en', namespace: 'p/v1' },
    env: { CALCTL_BASE_URL: 'https://environment.example', CALCTL_LANG: 'es', CALCTL_NAMESPACE: 'e/v1' },
  }
  const option = { baseUrl: 'https://option.example', lang: 'ca', namespace: 'o/v1' } as const
  const seen = async (...args: Parameters<typeof resolve>) => {
    const target = await resolve(...args)
    return [baseUrlOf(target), target.language, target.namespace]
  }
  expect(await seen(setup, option)).toEqual(['https://option.example', 'ca', 'o/v1'])
  expect(await seen(setup)).toEqual(['https://environment.example', 'es', 'e/v1'])
  expect(await seen({ ...setup, env: {} })).toEqual(['https://project.example', 'en', 'p/v1'])
  expect(await seen({ config: town })).toEqual(['https://town.example/wp-json', 'ca', 'tribe/events/v1'])
})

test('a profile is chosen by option, environment, project file or profiles use, in this order', async () => {
  const named = (name: string) => ({ baseUrl: `https://${name}.example` })
  const profiles = {
    option: named('option'),
    environment: named('environment'),
    project: named('project'),
    used: named('used'),
  }
  const setup = {
    config: { current: 'used', profiles },
    project: { profile: 'project' },
    env: { CALCTL_PROFILE: 'environment' },
  }
  expect((await resolve(setup, { profile: 'option' })).profile).toBe('option')
  expect((await resolve(setup)).profile).toBe('environment')
  expect((await resolve({ ...setup, env: { CALCTL_PROFILE: '' } })).profile).toBe('project')
  expect((await resolve({ config: setup.config })).profile).toBe('used')
})

test('the base URL for a language replaces that of the profile, and the language is not sent as well', async () => {
  expect(await resolve({ config: town }, { lang: 'en' })).toMatchObject({
    place: { baseUrl: 'https://town.example/en/wp-json' },
    language: 'en',
    sendLanguage: false,
  })
  expect(await resolve({ config: town }, { lang: 'en', baseUrl: 'https://other.example' })).toMatchObject({
    place: { baseUrl: 'https://other.example' },
    sendLanguage: true,
  })
})

test('a language that a profile has no address for is refused, or if its main address may be in it, taken with a notice', async () => {
  const hint = 'use one of ca or en, or set the address of es with: calctl profiles edit town --base-url-for es=URL'
  const refused = { kind: 'settings', message: 'the profile town has no address for es', details: { hint } }
  await expect(resolve({ config: town }, { lang: 'es' })).rejects.toMatchObject(refused)
  await expect(resolve({ config: town, env: { CALCTL_LANG: 'es' } })).rejects.toMatchObject(refused)
  expect((await resolve({ config: town }, { lang: 'ca' })).notices).toEqual([])
  const unsaid: Config = { current: 'town', profiles: { town: { ...town.profiles.town, lang: undefined } } }
  expect(await resolve({ config: unsaid }, { lang: 'es' })).toMatchObject({
    place: { baseUrl: 'https://town.example/wp-json' },
    notices: [
      'the profile town has no language for its main address, so es is assumed; set it with: calctl profiles edit town --lang ca|es',
    ],
  })
  expect((await resolve({ config: unsaid })).notices).toEqual([])
})

test('a file: base URL opens a calendar file, relative to the file that names it', async () => {
  const world = worldOf({ project: { baseUrl: 'file:town.json' } })
  const above = join(world.cwd, '../..')
  expect((await resolveTarget(world, {})).place).toEqual({ kind: 'file', file: join(above, 'town.json') })
  expect((await resolveTarget(world, { baseUrl: 'file:town.json' })).place).toEqual({
    kind: 'file',
    file: join(world.cwd, 'town.json'),
  })
  expect(await resolveTarget(world, { baseUrl: 'file:///srv/el%20poble.json', namespace: 'a/v1' })).toMatchObject({
    place: { kind: 'file', file: '/srv/el poble.json' },
    namespace: 'calendar/events/v1',
  })
})

test('--demo ignores the profile', async () => {
  expect(await resolve({ config: town }, { demo: true, lang: 'en' })).toMatchObject({
    profile: 'demo',
    place: { kind: 'demo' },
    language: 'en',
    protected: false,
  })
  await expect(resolve({}, { demo: true, baseUrl: 'https://a.example' })).rejects.toMatchObject({
    kind: 'usage',
    message: '--demo and --base-url cannot be used together',
  })
})

test('credentials of a profile are sent to its own origins only, otherwise with a notice', async () => {
  const env = { TOWN: 'sesame' }
  const own = await resolve({ config: town, env }, { baseUrl: 'https://town.example/other/wp-json' })
  expect([await own.credentials(), own.notices]).toEqual([{ authorization: 'Basic YWRhOnNlc2FtZQ==' }, []])
  const stated: [Setup, Globals][] = [
    [{ config: town, env }, { baseUrl: 'https://other.example' }],
    [{ config: town, env: { ...env, CALCTL_BASE_URL: 'https://other.example' } }, {}],
    [{ config: town, env, project: { baseUrl: 'https://other.example' } }, {}],
  ]
  for (const [setup, globals] of stated) {
    const target = await resolve(setup, globals)
    expect(await target.credentials()).toEqual({})
    expect(target.notices).toEqual(['the credentials of the profile town are not sent to https://other.example'])
  }
})

test('that the credentials of a profile are not sent goes without saying if those of the environment are', async () => {
  const env = { TOWN: 'sesame', CALCTL_USER: 'eva', CALCTL_PASSWORD: 'mica' }
  const target = await resolve({ config: town, env }, { baseUrl: 'https://other.example' })
  expect([await target.credentials(), target.notices]).toEqual([{ authorization: 'Basic ZXZhOm1pY2E=' }, []])
})

test('credentials of the environment are sent to a base URL of the user, and with one of a project file refused', async () => {
  const env = { CALCTL_USER: 'eva', CALCTL_PASSWORD: 'mica' }
  const authorization = 'Basic ZXZhOm1pY2E='
  expect(await (await resolve({ env }, { baseUrl: 'https://a.example' })).credentials()).toEqual({ authorization })
  expect(await (await resolve({ config: town, env })).credentials()).toEqual({ authorization })
  await expect(resolve({ env, project: { baseUrl: 'https://a.example' } })).rejects.toMatchObject({
    kind: 'settings',
    message: expect.stringMatching(/\.calctl\.json is not trusted: its baseUrl cannot be used with credentials$/),
  })
})

test('a user without a password, and a password without a user, are refused', async () => {
  const settings = (message: string, hint: string) => ({ kind: 'settings', message, details: { hint } })
  const at = async (env: Record<string, string>) =>
    (await resolve({ env }, { baseUrl: 'https://a.example' })).credentials()
  await expect(at({ CALCTL_USER: 'eva' })).rejects.toMatchObject(
    settings(
      'CALCTL_USER is set without a password',
      'set the password with: export CALCTL_PASSWORD=…, or its file with: export CALCTL_PASSWORD_FILE=…',
    ),
  )
  await expect(at({ CALCTL_PASSWORD: 'mica' })).rejects.toMatchObject(
    settings('a password is set without a user name', 'set the user name with: export CALCTL_USER=…'),
  )
})

test('a password comes from the file that the environment names, if only its owner can read it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-password-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'password')
  writeFileSync(file, 'mica\n', { mode: 0o600 })
  const at = async (env: Record<string, string>) =>
    (await resolve({ env: { CALCTL_USER: 'eva', ...env } }, { baseUrl: 'https://a.example' })).credentials()
  expect(await at({ CALCTL_PASSWORD_FILE: file })).toEqual({ authorization: 'Basic ZXZhOm1pY2E=' })
  await expect(at({ CALCTL_PASSWORD_FILE: file, CALCTL_PASSWORD: 'mica' })).rejects.toMatchObject({
    kind: 'settings',
    message: 'CALCTL_PASSWORD and CALCTL_PASSWORD_FILE are both set',
  })
  chmodSync(file, 0o644)
  await expect(at({ CALCTL_PASSWORD_FILE: file })).rejects.toMatchObject({
    kind: 'settings',
    details: { hint: `restrict it with: chmod 600 ${file}` },
  })
})

test('an invalid base URL is refused with a valid one as a hint', async () => {
  await expect(resolve({ env: { CALCTL_BASE_URL: 'a.example' } })).rejects.toMatchObject({
    details: { hint: 'for example: export CALCTL_BASE_URL=https://example.org/wp-json' },
  })
})

test('credentials over plain http give a warning, except to this machine', async () => {
  const env = { CALCTL_USER: 'eva', CALCTL_PASSWORD: 'mica' }
  expect((await resolve({ env }, { baseUrl: 'http://town.example:8787' })).notices).toEqual([
    'credentials are sent to http://town.example:8787 over plain http: anyone on the network can read them',
  ])
  for (const baseUrl of ['http://127.0.0.1:8787', 'http://localhost', 'http://[::1]:80', 'https://town.example'])
    expect((await resolve({ env }, { baseUrl })).notices).toEqual([])
})

test('a secret header is sent with the value of its source', async () => {
  const profiles = { site: { baseUrl: 'https://site.example', headers: { 'X-Key': 'env:SITE_KEY' } } }
  const setup = { config: { current: 'site', profiles }, env: { SITE_KEY: 'sesame' } }
  expect(await (await resolve(setup)).credentials()).toEqual({ 'x-key': 'sesame' })
})

const mistakes: [what: string, setup: Setup, globals: Globals, kind: string, message: RegExp][] = [
  ['an unknown profile', {}, { profile: 'nowhere' }, 'settings', /^no profile "nowhere"$/],
  ['a name from the prototype', {}, { profile: 'constructor' }, 'settings', /^no profile "constructor"$/],
  ['a base URL of another kind', {}, { baseUrl: 'ftp://a.example' }, 'usage', /^--base-url: expected https:/],
  ['a base URL without a scheme', {}, { baseUrl: 'a.example' }, 'usage', /^--base-url: expected https:/],
  [
    'a base URL with credentials',
    {},
    { baseUrl: 'https://a:b@c.example' },
    'usage',
    /^--base-url: a base URL must not contain credentials/,
  ],
  ['file: with nothing after it', {}, { baseUrl: 'file:' }, 'usage', /^--base-url: expected the path/],
  ['a language there is not', { env: { CALCTL_LANG: 'fr' } }, {}, 'settings', /^CALCTL_LANG: expected ca, en or es/],
  ['a malformed configuration', { config: '{"profiles":' }, {}, 'settings', /config\.json: malformed JSON: /],
  [
    'a damaged configuration',
    { config: '{"profiles":{"town":{"baseUrl":"town"}}}' },
    {},
    'settings',
    /config\.json: profiles\.town\.baseUrl: expected https:/,
  ],
  [
    'an unknown setting',
    { config: '{"profiles":{"a":{"colour":1}}}' },
    {},
    'settings',
    /config\.json: profiles\.a: unknown setting "colour"$/,
  ],
  ['a malformed project file', { project: '{' }, {}, 'settings', /\.calctl\.json: /],
  ['an unknown key in a project file', { project: { url: 'x' } }, {}, 'settings', /\.calctl\.json: unknown key "url"$/],
  [
    'a secret in a project file',
    { project: { password: 'sesame' } },
    {},
    'settings',
    /\.calctl\.json: password: a project file must not contain credentials$/,
  ],
]

for (const [what, setup, globals, kind, message] of mistakes)
  test(`an error in the settings is reported: ${what}`, async () => {
    const failure = await resolve(setup, globals).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      kind,
      message: expect.stringMatching(message),
      details: { hint: expect.any(String) },
    })
  })

test('paths follow the XDG variables on every platform, and otherwise the platform', () => {
  const xdg = { HOME: '/home/ada', XDG_DATA_HOME: '/d', XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s' }
  for (const platform of ['linux', 'darwin', 'win32'] as const)
    expect([dataFile, configFile, runsFolder].map(place => place({ env: xdg, platform }))).toEqual([
      '/d/calctl/calendar.json',
      '/c/calctl/config.json',
      '/s/calctl/runs',
    ])
  const plain = { HOME: '/home/ada', XDG_DATA_HOME: 'relative/is/ignored' }
  expect(dataFile({ env: plain, platform: 'linux' })).toBe('/home/ada/.local/share/calctl/calendar.json')
  expect(configFile({ env: plain, platform: 'linux' })).toBe('/home/ada/.config/calctl/config.json')
  expect(runsFolder({ env: plain, platform: 'linux' })).toBe('/home/ada/.local/state/calctl/runs')
  expect(configFile({ env: plain, platform: 'darwin' })).toBe(
    '/home/ada/Library/Application Support/calctl/config.json',
  )
})

test('without a home folder, nothing is stored in the current folder', async () => {
  for (const HOME of ['', '.', 'ada'])
    await expect(resolve({ env: { HOME } })).rejects.toMatchObject({
      kind: 'settings',
      message: `HOME is not an absolute path: "${HOME}"`,
      details: { hint: 'set HOME, or XDG_CONFIG_HOME, XDG_DATA_HOME and XDG_STATE_HOME' },
    })
  const env = { HOME: '', XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d' }
  expect((await resolve({ env })).place).toEqual({ kind: 'file', file: '/d/calctl/calendar.json' })
})
