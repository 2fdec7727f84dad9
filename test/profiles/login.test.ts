import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseSiteAddress } from '../../src/client/site-discovery.ts'
import { startServe } from '../support/start-serve.ts'
import { worldOf } from '../support/world.ts'

/** Where a site has its API, and how its pages say so. */
interface Form {
  /** Of the site: `/blog`. */
  readonly folder?: string
  readonly permalinks?: 'pretty' | 'plain'
  readonly says?: 'header' | 'head' | 'nothing'
  /** What somebody types at a terminal. */
  readonly keys?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** A site of WordPress with its front page, and a command line without any settings. */
async function site({ folder = '', permalinks = 'pretty', says = 'header', keys, env }: Form = {}) {
  const served = await startServe(
    '--memory --quirks --namespace tribe/events/v1 --user ada:abcdefghijklmnopqrstuvwx --port 0',
  )
  if (!('url' in served)) throw new Error(served.err)
  const root = permalinks === 'pretty' ? `${folder}/wp-json/` : `${folder}/?rest_route=/`
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', origin)
    asked.push(`${request.method} ${url.pathname}`)
    const isPlain = url.searchParams.has('rest_route')
    const isApi = permalinks === 'pretty' ? url.pathname.startsWith(root) : isPlain
    if (!isApi) {
      const isPage = url.pathname.startsWith(`${folder}/`) && !url.pathname.includes('wp-json')
      const address = `${origin}${root}`
      const link = `<${address}>; rel="https://api.w.org/"`
      response.writeHead(isPage ? 200 : 404, {
        'content-type': 'text/html',
        ...(says === 'header' && isPage && { link }),
      })
      const head = says === 'head' ? `<link rel="https://api.w.org/" href="${address.replace('&', '&#038;')}" />` : ''
      return response.end(`<html><head>${head}</head><body>Agenda</body></html>`)
    }
    const path = permalinks === 'pretty' ? `/${url.pathname.slice(root.length)}${url.search}` : `/${url.search}`
    const { authorization = '', accept = '' } = request.headers
    const answer = await fetch(new URL(served.url).origin + path, {
      headers: { accept, ...(authorization && { authorization }) },
    })
    const headers = Object.fromEntries(
      [...answer.headers].filter(([name]) => name === 'content-type' || name === 'allow'),
    )
    return response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const home = mkdtempSync(join(tmpdir(), 'calctl-login-'))
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await served.stop()
    rmSync(home, { recursive: true, force: true })
  })
  const opened: string[] = []
  const calctl = worldOf({
    env: { HOME: home, XDG_CONFIG_HOME: join(home, 'config'), LANG: 'en_US.UTF-8', ...env },
    ...(keys && { terminal: 200, keys }),
    now: () => new Date(),
    openPage: async url => {
      opened.push(url)
    },
  })
  return { calctl, origin, asked, opened, config: join(home, 'config/calctl') }
}

const password = 'abcd efgh ijkl mnop qrst uvwx\n'

test.each<[string, Form, string]>([
  ['from its front page', {}, '/'],
  ['from a page of an event', {}, '/event/concert/?x=1#top'],
  ['from its administration', {}, '/wp-admin/edit.php'],
  ['from its API', {}, '/wp-json/tribe/events/v1/events'],
  ['in a folder', { folder: '/blog' }, '/blog/'],
  ['without permalinks', { permalinks: 'plain' }, '/'],
  ['without permalinks in a folder', { permalinks: 'plain', folder: '/blog' }, '/blog/agenda/'],
  ['that names its API in the page', { says: 'head' }, '/'],
  ['that does not name its API', { says: 'nothing' }, '/'],
  ['that does not name its API, without permalinks', { says: 'nothing', permalinks: 'plain' }, '/'],
])('login to a site %s adds a profile that works', async (_, form, path) => {
  const { calctl, origin, asked, config } = await site(form)
  const address = origin.replace('http://', '') + path
  const { status, err } = await calctl(`login ${address} --user ada --password-stdin`, password)
  expect([status, err]).toEqual([0, expect.stringContaining('logged in as ada (can write and publish events)')])
  expect(asked.length).toBeLessThanOrEqual(form.says === 'nothing' ? 8 : 6)
  const { profiles, current } = JSON.parse(readFileSync(join(config, 'config.json'), 'utf8'))
  expect(Object.keys(profiles)).toEqual([current])
  const secret = join(config, 'secrets', current)
  expect(readFileSync(secret, 'utf8')).toBe('abcdefghijklmnopqrstuvwx\n')
  expect(statSync(secret).mode & 0o777).toBe(0o600)
  expect(await calctl('events list --json')).toMatchObject({ status: 0, out: '[]\n' })
  expect(JSON.parse((await calctl('whoami --json')).out)).toMatchObject({
    user: 'ada',
    publish: true,
    profile: current,
  })
  expect((await calctl('doctor')).out).not.toContain('✗')
  expect((await calctl(`doctor ${address}`)).out).not.toContain('✗')
})

test('a wrong password is refused, and nothing is stored', async () => {
  const { calctl, origin } = await site()
  const { status, err } = await calctl(`login ${origin} --user ada --password-stdin`, 'sesame\n')
  expect([status, err]).toEqual([3, expect.stringContaining('access denied')])
  expect((await calctl('profiles list -o ids')).out).toBe('local\n')
})

test.each([
  [
    'en',
    'no such user\nhint: check the name: it is in wp-admin, under Users > Profile; the email address works, too\n',
  ],
  [
    'ca',
    'amb aquest nom\npista: comproveu el nom: és a wp-admin, a Usuaris > Perfil; també serveix l’adreça electrònica\n',
  ],
  [
    'es',
    'con ese nombre\npista: compruebe el nombre: está en wp-admin, en Usuarios > Perfil; también sirve el correo electrónico\n',
  ],
])('for an unknown user, the hint is about the name, not the password: %s', async (CALCTL_UI, said) => {
  const { calctl, origin } = await site({ env: { CALCTL_UI } })
  const { status, err } = await calctl(`login ${origin} --user ghost --password-stdin`, password)
  expect([status, err]).toEqual([3, expect.stringContaining(said)])
})

test('on a terminal, the hint of a refusal comes before the name and the password are asked for again', async () => {
  const { calctl, origin } = await site({ keys: ['ghost\r', 'sesame\r', 'ada\r', '', password.replace('\n', '\r')] })
  const { status, err } = await calctl(`login ${origin} --name town`)
  expect([status, err]).toEqual([0, expect.stringContaining('logged in as ada')])
  expect(err).toContain('try again: check the name')
})

test('on a terminal, a wrong password is asked for again', async () => {
  const { calctl, origin } = await site({ keys: ['sesame\r', password.replace('\n', '\r')] })
  const { status, err } = await calctl(`login ${origin} --user ada --name town`)
  expect([status, err]).toEqual([0, expect.stringContaining('logged in as ada')])
  expect(err).toContain('try again: create an application password in wp-admin, under Users > Profile;')
  expect(err.split('calctl takes an application password')).toHaveLength(2)
  expect(err).toContain(`/wp-admin/authorize-application.php?app_name=calctl, with the button`)
})

const down = '\u001b[B'

test.each<[LANG: string, choice: readonly string[], ui: string, said: string]>([
  ['', ['\r'], 'ca', 's’ha iniciat la sessió com a ada'],
  ['C', [`${down}\r`], 'en', 'logged in as ada'],
  ['C.UTF-8', [`${down}${down}\r`], 'es', 'se ha iniciado sesión como ada'],
])(
  'with the locale "%s", login asks once for the language, and keeps it in the profile',
  async (LANG, choice, ui, said) => {
    const { calctl, origin, config } = await site({ keys: [...choice, password.replace('\n', '\r')], env: { LANG } })
    const first = await calctl(`login ${origin} --user ada --name town`)
    expect(first).toMatchObject({ status: 0, err: expect.stringContaining(said) })
    expect(first.err).toContain('Llengua · Language · Idioma')
    expect(first.err).not.toContain('navigate')
    expect(JSON.parse(readFileSync(join(config, 'config.json'), 'utf8')).profiles.town.ui).toBe(ui)
    const again = await calctl(`login ${origin} --user ada --name town`)
    expect(again.err).not.toContain('Llengua')
  },
)

test.each<[known: string, env: Record<string, string>, options: string, kept?: string]>([
  ['a locale', { LANG: 'ca_ES.UTF-8' }, ''],
  ['a locale of another language', { LANG: 'fr_FR.UTF-8' }, ''],
  ['CALCTL_UI', { LANG: 'C', CALCTL_UI: 'es' }, ''],
  ['--ui, and keeps that one', { LANG: 'C' }, '--ui es', 'es'],
])('login does not ask for the language with %s', async (_, env, options, kept) => {
  const { calctl, origin, config } = await site({ keys: [password.replace('\n', '\r')], env })
  const { status, err } = await calctl(`login ${origin} --user ada --name town ${options}`)
  expect([status, err]).toEqual([0, expect.not.stringContaining('Llengua')])
  expect(JSON.parse(readFileSync(join(config, 'config.json'), 'utf8')).profiles.town.ui).toBe(kept)
})

test('a new profile takes over the language of the one in use', async () => {
  const { calctl, origin, config } = await site({ keys: [password.replace('\n', '\r')], env: { LANG: 'C' } })
  await calctl('profiles edit local --ui ca')
  const { status, err } = await calctl(`login ${origin} --user ada --name town`)
  expect([status, err]).toEqual([0, expect.not.stringContaining('Llengua')])
  expect(JSON.parse(readFileSync(join(config, 'config.json'), 'utf8')).profiles.town.ui).toBe('ca')
})

test('login does not ask for the language without a terminal', async () => {
  const { calctl, origin } = await site({ env: { LANG: 'C' } })
  const { status, err } = await calctl(`login ${origin} --user ada --password-stdin --name town`, password)
  expect([status, err]).toEqual([0, expect.not.stringContaining('Llengua')])
})

test('a user name that was typed can be corrected with the password', async () => {
  // A question with a suggestion is drawn anew with the first letter.
  const { calctl, origin } = await site({ keys: ['adda\r', 'sesame\r', 'ada\r', '', password.replace('\n', '\r')] })
  expect(await calctl(`login ${origin} --name town`)).toMatchObject({
    status: 0,
    err: expect.stringContaining('logged in as ada'),
  })
})

test('after three wrong passwords login ends, and nothing is stored', async () => {
  const { calctl, origin, config } = await site({ keys: ['one\r', 'two\r', 'three\r', password.replace('\n', '\r')] })
  const { status, err } = await calctl(`login ${origin} --user ada`)
  expect([status, err.split('try again: ').length]).toEqual([3, 3])
  expect(() => statSync(config)).toThrow('ENOENT')
})

test('login without a user reads only', async () => {
  const { calctl, origin } = await site()
  expect(await calctl(`login ${origin} --anonymous --web`)).toMatchObject({
    status: 2,
    err: expect.stringContaining('--anonymous and --web cannot be used together'),
  })
  expect(await calctl(`login ${origin} --anonymous --name town`)).toMatchObject({ status: 0 })
  expect(await calctl('events list -o count')).toMatchObject({ status: 0, out: '0\n' })
  expect(await calctl('whoami')).toMatchObject({ status: 3 })
})

test('login again stores the new password in the same profile, and logout removes it', async () => {
  const { calctl, origin, config } = await site()
  const first = await calctl(`login ${origin} --user ada --password-stdin --name town`, password)
  expect(first.err).toMatch(/; profile town added \(the default from now on\)$/m)
  const second = await calctl(`login ${origin} --user ada --password-stdin`, password)
  expect([second.status, second.err]).toEqual([0, expect.stringMatching(/; profile town added$/m)])
  expect((await calctl('profiles list -o ids')).out).toBe('local\ntown\n')
  expect(await calctl('logout')).toMatchObject({
    status: 0,
    err: 'logged out of town; the password itself is still valid until you revoke it on the site\n',
  })
  expect(() => statSync(join(config, 'secrets/town'))).toThrow('ENOENT')
  expect(await calctl('logout')).toMatchObject({ status: 0, err: 'town has no user: nothing to remove\n' })
  expect(await calctl('events list -o count')).toMatchObject({ status: 0 })
})

test('a name that another site has is not taken over', async () => {
  const { calctl, origin } = await site()
  await calctl('profiles add town --base-url http://127.0.0.1:1')
  expect(await calctl(`login ${origin} --user ada --password-stdin --name town`, password)).toMatchObject({
    status: 2,
    err: expect.stringContaining('the profile town is for http://127.0.0.1:1'),
  })
})

test("--web opens the site's page for application passwords", async () => {
  const { calctl, origin, opened } = await site()
  await calctl(`login ${origin} --web --user ada --password-stdin`, password)
  expect(opened).toEqual([expect.stringContaining('/wp-admin/authorize-application.php?app_name=calctl')])
})

test('a site without the events API says so', async () => {
  const server = createServer((_, response) =>
    response.end(JSON.stringify({ name: 'Blog', namespaces: ['wp/v2'], routes: { '/wp/v2/posts': {} } })),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { calctl } = await site()
  expect(await calctl(`login 127.0.0.1:${(server.address() as AddressInfo).port} --user a`)).toMatchObject({
    status: 3,
    err: expect.stringMatching(/has no events API\nhint: check that The Events Calendar is active/),
  })
})

test.each([
  ['{"code":"rest_disabled","message":"The REST API is disabled."}', 401, 'REST API'],
  ['<html><title>Just a moment...</title></html>', 403, 'a browser check (Cloudflare)'],
  ['<html>Nothing here</html>', 404, 'no events API at'],
])('a site whose API answers %s says what stands in the way', async (body, status, message) => {
  const server = createServer(({ url }, response) =>
    url?.startsWith('/wp-json') || url?.includes('rest_route')
      ? response
          .writeHead(status, { 'content-type': body.startsWith('{') ? 'application/json' : 'text/html' })
          .end(body)
      : response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Agenda</html>'),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { calctl } = await site()
  const { err } = await calctl(`login 127.0.0.1:${(server.address() as AddressInfo).port} --anonymous`)
  expect(err).toContain(message)
})

test.each([
  ['https://ada:sesame@example.org', 'an address must not contain a user name or a password'],
  ['file:///etc/passwd', 'expected the address of a site, http or https, got file:'],
  ['ftp://example.org', 'expected the address of a site, http or https, got ftp:'],
  ['two words', 'not an address of a site: two words'],
])('the address %s is refused', async (address, message) => {
  const { calctl } = await site()
  expect(await calctl(['login', address, '--user', 'ada'])).toMatchObject({
    status: 2,
    err: expect.stringContaining(message),
  })
})

test.each([
  ['example.org', 'https://example.org/'],
  ['example.org:8080/agenda', 'https://example.org:8080/agenda'],
  ['localhost:8787', 'http://localhost:8787/'],
  ['agència.cat', 'https://xn--agncia-4ua.cat/'],
])('the address %s is %s', (text, address) => {
  expect(parseSiteAddress(text).href).toBe(address)
})

test('without a terminal, what is missing is named', async () => {
  const { calctl, origin } = await site()
  expect(await calctl('login')).toMatchObject({ status: 2, err: expect.stringContaining('calctl login example.org') })
  for (const line of [`login ${origin}`, `login ${origin} --user admin`])
    expect(await calctl(line)).toMatchObject({
      status: 2,
      err: expect.stringContaining(`calctl login ${origin}/wp-json --user NAME --password-stdin`),
    })
})
