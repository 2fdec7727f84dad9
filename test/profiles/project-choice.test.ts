import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openEmbedded } from '../../src/service/embedded.ts'
import { testTime, worldOf } from '../support/world.ts'

/** A file of the folder may choose a calendar; these tests are about which one it may choose alone, and what is said about it. */

/** A home, a project in it, a site, and profiles for both. */
async function home(cwdIn = 'home/work/project') {
  const requests: string[] = []
  const site = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    let body = ''
    for await (const chunk of request) body += chunk
    const lang_code = /"en"/.test(body) || /-en/.test(request.url ?? '') ? 'en' : 'ca'
    const tag = { id: 1, name: 'Jazz', slug: 'jazz', description: '', count: 0, lang_code }
    const answer = request.method === 'POST' ? tag : { tags: [], total: 0, total_pages: 0 }
    response.statusCode = request.method === 'POST' ? 201 : 200
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void site.close())
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'calctl-choice-')))
  const project = join(root, 'home/work/project')
  const cwd = join(root, cwdIn)
  for (const folder of [cwd, join(project, 'calendars'), join(root, 'home/else'), join(root, 'config/calctl')])
    mkdirSync(folder, { recursive: true })
  const outside = join(root, 'home/else/calendar.json')
  const login = { user: 'ada', secret: 'env:SITE' }
  const profiles = {
    plain: { baseUrl: `${url}/plain` },
    real: { baseUrl: `${url}/real`, ...login },
    guarded: { baseUrl: `${url}/guarded`, ...login, protected: true },
    split: { baseUrl: `${url}/split`, baseUrls: { en: `${url}/split-en` }, lang: 'ca', ...login },
    header: { baseUrl: `${url}/header`, headers: { 'X-Key': 'env:SITE' } },
    house: { baseUrl: pathToFileURL(outside).href },
    here: { baseUrl: pathToFileURL(join(project, 'here.json')).href },
  }
  const config = (current: string) =>
    writeFileSync(join(root, 'config/calctl/config.json'), JSON.stringify({ current, profiles }))
  config('plain')
  const file = join(project, '.calctl.json')
  const env = {
    HOME: join(root, 'home'),
    XDG_CONFIG_HOME: join(root, 'config'),
    XDG_DATA_HOME: join(root, 'data'),
    XDG_STATE_HOME: join(root, 'state'),
    XDG_CACHE_HOME: join(root, 'cache'),
    SITE: 'sesame',
  }
  const calctl = worldOf({
    cwd,
    env,
    openCalendar: (place, onlyReads, notice) => openEmbedded(place, () => testTime, { onlyReads, notice }),
  })
  const choose = (settings: object) => writeFileSync(file, JSON.stringify(settings))
  return { calctl, choose, config, requests, url, root, project, file, outside }
}

type Home = Awaited<ReturnType<typeof home>>

/** Everything below the home folder that is not in the project. */
const elsewhere = ({ root }: Home): string[] =>
  (readdirSync(join(root, 'home'), { recursive: true }) as string[]).filter(path => !path.startsWith('work/project'))

interface Entry {
  /** What the project file says. */
  readonly settings: (home: Home) => Record<string, string>
  /** The profile in use without it. */
  readonly current?: string
  /** Where it leads: the path of the site, or the calendar file. */
  readonly leadsTo: (home: Home) => string
  /** What needs trust, as the message names it. */
  readonly needs?: string
  /** What the notice names, without the values. */
  readonly names: string
  readonly prepare?: (home: Home) => unknown
}

const siteOf =
  (path: string) =>
  ({ url }: Home) =>
    `${url}/${path}`
const inProject =
  (path: string) =>
  ({ project }: Home) =>
    join(project, path)
const outsideFile = ({ outside }: Home) => outside

const entries: Record<string, Entry> = {
  'a profile without credentials': {
    settings: () => ({ profile: 'plain' }),
    leadsTo: siteOf('plain'),
    names: 'profile',
  },
  'a profile with credentials': {
    settings: () => ({ profile: 'real' }),
    leadsTo: siteOf('real'),
    needs: 'profile',
    names: 'profile',
  },
  'a profile with a secret header': {
    settings: () => ({ profile: 'header' }),
    leadsTo: siteOf('header'),
    needs: 'profile',
    names: 'profile',
  },
  'a protected profile': {
    settings: () => ({ profile: 'guarded' }),
    leadsTo: siteOf('guarded'),
    needs: 'profile',
    names: 'profile',
  },
  'the profile that is in use anyway': {
    settings: () => ({ profile: 'real' }),
    current: 'real',
    leadsTo: siteOf('real'),
    needs: 'profile',
    names: 'profile',
  },
  'the calendar of the home folder': {
    settings: () => ({ profile: 'local' }),
    leadsTo: ({ root }) => join(root, 'data/calctl/calendar.json'),
    needs: 'profile',
    names: 'profile',
  },
  'a profile of a file outside': {
    settings: () => ({ profile: 'house' }),
    leadsTo: outsideFile,
    needs: 'profile',
    names: 'profile',
  },
  'a profile of a file inside': {
    settings: () => ({ profile: 'here' }),
    leadsTo: inProject('here.json'),
    names: 'profile',
  },
  'a site': { settings: ({ url }) => ({ baseUrl: `${url}/any` }), leadsTo: siteOf('any'), names: 'baseUrl' },
  'a site that gets the credentials in use': {
    settings: ({ url }) => ({ baseUrl: `${url}/any` }),
    current: 'real',
    leadsTo: siteOf('any'),
    needs: 'baseUrl',
    names: 'baseUrl',
  },
  'a site and who logs in there': {
    settings: ({ url }) => ({ profile: 'real', baseUrl: `${url}/any` }),
    leadsTo: siteOf('any'),
    needs: 'profile and baseUrl',
    names: 'profile baseUrl',
  },
  'a namespace without credentials': {
    settings: () => ({ namespace: 'a/v1' }),
    leadsTo: siteOf('plain'),
    names: 'namespace',
  },
  'a namespace with credentials': {
    settings: () => ({ namespace: 'a/v1' }),
    current: 'real',
    leadsTo: siteOf('real'),
    needs: 'namespace',
    names: 'namespace',
  },
  'a language': { settings: () => ({ lang: 'en' }), current: 'real', leadsTo: siteOf('real'), names: 'lang' },
  'a language with an address of its own': {
    settings: () => ({ lang: 'en' }),
    current: 'split',
    leadsTo: siteOf('split-en'),
    needs: 'lang',
    names: 'lang',
  },
  'a file inside': {
    settings: () => ({ baseUrl: 'file:town.json' }),
    leadsTo: inProject('town.json'),
    names: 'baseUrl',
  },
  'a file in a folder inside': {
    settings: () => ({ baseUrl: 'file:calendars/../calendars/town.json' }),
    leadsTo: inProject('calendars/town.json'),
    names: 'baseUrl',
  },
  'a file inside with a name that only looks encoded': {
    settings: () => ({ baseUrl: 'file:..%2ftown.json' }),
    leadsTo: inProject('..%2ftown.json'),
    names: 'baseUrl',
  },
  'a file inside with a name that begins with dots': {
    settings: () => ({ baseUrl: 'file:..town.json' }),
    leadsTo: inProject('..town.json'),
    names: 'baseUrl',
  },
  'a link that stays inside': {
    settings: () => ({ baseUrl: 'file:linked/town.json' }),
    leadsTo: inProject('linked/town.json'),
    names: 'baseUrl',
    prepare: ({ project }) => symlinkSync('calendars', join(project, 'linked')),
  },
  'a file above': {
    settings: () => ({ baseUrl: 'file:../../else/calendar.json' }),
    leadsTo: outsideFile,
    needs: 'baseUrl',
    names: 'baseUrl',
  },
  'a file beside a folder of the same beginning': {
    settings: () => ({ baseUrl: 'file:../project-2/calendar.json' }),
    leadsTo: ({ project }) => `${project}-2/calendar.json`,
    needs: 'baseUrl',
    names: 'baseUrl',
    prepare: ({ project }) => mkdirSync(`${project}-2`),
  },
  'an absolute path': {
    settings: ({ outside }) => ({ baseUrl: `file:${outside}` }),
    leadsTo: outsideFile,
    needs: 'baseUrl',
    names: 'baseUrl',
  },
  'a file URL': {
    settings: ({ outside }) => ({ baseUrl: pathToFileURL(outside).href }),
    leadsTo: outsideFile,
    needs: 'baseUrl',
    names: 'baseUrl',
  },
  'a file URL in other letters, with escapes and dots': {
    settings: ({ project }) => ({
      baseUrl: `FILE://localhost${project}/%2e%2E/.%2e/%65lse/calendar.json?a#b`,
    }),
    leadsTo: outsideFile,
    needs: 'baseUrl',
    names: 'baseUrl',
  },
  'a folder that is a link to outside': {
    settings: () => ({ baseUrl: 'file:linked/calendar.json' }),
    leadsTo: inProject('linked/calendar.json'),
    needs: 'baseUrl',
    names: 'baseUrl',
    prepare: ({ project, outside }) => symlinkSync(dirname(outside), join(project, 'linked')),
  },
  'a link to a file outside': {
    settings: () => ({ baseUrl: 'file:linked.json' }),
    leadsTo: inProject('linked.json'),
    needs: 'baseUrl',
    names: 'baseUrl',
    prepare: async ({ calctl, project, outside }) => {
      await calctl(`tags create --name Swing --base-url file:${outside}`)
      symlinkSync(outside, join(project, 'linked.json'))
    },
  },
  'a link to a file outside that does not exist': {
    settings: () => ({ baseUrl: 'file:linked.json' }),
    leadsTo: inProject('linked.json'),
    needs: 'baseUrl',
    names: 'baseUrl',
    prepare: ({ project, outside }) => symlinkSync(outside, join(project, 'linked.json')),
  },
  'a file whose namespace does not count': {
    settings: () => ({ baseUrl: 'file:town.json', namespace: 'a/v1' }),
    leadsTo: inProject('town.json'),
    names: 'baseUrl',
  },
}

const sheet = 'id,name\n,Jazz\n'
/** What is tried in the folder, and whether it writes or plans a write. */
const lines: readonly { readonly line: string; readonly writes: boolean; readonly input?: string }[] = [
  { line: 'tags create --name Jazz --dry-run', writes: true },
  { line: 'apply - --resource tags --yes --dry-run', writes: true, input: sheet },
  { line: 'tags create --name Jazz --confirm guarded', writes: true },
  { line: 'tags list', writes: false },
]

const keys = ['profile', 'baseUrl', 'namespace', 'lang']
const rounds = process.env.SOAK_ROUNDS ? ['home/work/project', 'home/work/project/deep/er'] : undefined

test.each(Object.entries(entries).map(([name, entry], index) => ({ name, entry, index })))(
  '$name: is used where it may be, after trust elsewhere, and named before a write',
  async ({ entry, index }) => {
    for (const folder of rounds ?? [index % 2 === 0 ? 'home/work/project' : 'home/work/project/deep/er']) {
      const made = await home(folder)
      await entry.prepare?.(made)
      made.config(entry.current ?? 'plain')
      made.choose(entry.settings(made))
      if (entry.needs) {
        await isRefused(made, entry, 'is not trusted:')
        await made.calctl('trust')
        made.choose({ ...entry.settings(made), lint: {} })
        await isRefused(made, entry, 'changed after it was trusted:')
        expect(await made.calctl('trust')).toMatchObject({ status: 0 })
      }
      await isUsed(made, entry)
    }
  },
)

async function isRefused(made: Home, { needs }: Entry, why: string): Promise<void> {
  const { calctl, requests } = made
  const before = elsewhere(made)
  const refusal = new RegExp(`^error: .*/\\.calctl\\.json ${why} its ${needs} cannot [^\n]*\nhint: .* calctl trust\n$`)
  for (const { line, input } of lines)
    expect(await calctl(line, input)).toEqual({ status: 3, out: '', err: expect.stringMatching(refusal) })
  expect(requests).toEqual([])
  expect(elsewhere(made)).toEqual(before)
  expect(existsSync(join(made.root, 'data'))).toBe(false)
}

async function isUsed(made: Home, entry: Entry): Promise<void> {
  const { calctl, requests, file } = made
  const calendar = entry.leadsTo(made)
  for (const { line, writes, input } of lines) {
    const { status, err } = await calctl(line, input)
    const [notice = ''] = err.split('\n')
    expect([line, err, status, notice.startsWith('using ')]).toEqual([line, err, 0, writes])
    if (!writes) continue
    const [, named = '', settings = ''] =
      /^using (?:the calendar file )?(\S+), chosen by \S+ \((.*)\)$/.exec(notice) ?? []
    expect([named, notice]).toEqual([calendar, expect.stringContaining(`, chosen by ${file} (`)])
    expect(keys.filter(key => new RegExp(`\\b${key}\\b`).test(settings))).toEqual(entry.names.split(' '))
    expect(err.match(/^using /gm)).toHaveLength(1)
    if (line.includes('--dry-run')) expect((await calctl(`${line} -q`, input)).err).not.toContain('using ')
  }
  expect(existsSync(calendar) || requests.some(request => request.startsWith('POST'))).toBe(true)
}

test('the calendar is named before the first request', async () => {
  const { calctl, choose, url } = await home()
  choose({ baseUrl: url.replace(/\d+$/, '1') })
  for (const line of [
    'tags create --name Jazz',
    'tags update 1 --name Jazz',
    'tags delete 1 --yes',
    'api POST tags -f name=Jazz',
  ])
    expect(await calctl(`${line} --retries 0`)).toMatchObject({
      status: 5,
      err: expect.stringMatching(/^using \S+:1, chosen by .*\nerror: /),
    })
})

test('an option or a variable in place of each setting needs no trust and no notice', async () => {
  const { calctl, choose, url, outside, root, project } = await home()
  choose({ profile: 'real', baseUrl: `file:${outside}`, namespace: 'a/v1', lang: 'en' })
  const line = `tags create --name Jazz -p plain --base-url ${url} --namespace b/v1`
  expect((await calctl(line)).err).toMatch(/^using \S+, chosen by \S+ \(lang en\)\n/)
  const { err, status } = await calctl(`${line} --lang ca`)
  expect([status, err]).toEqual([0, expect.not.stringContaining('using ')])
  const env = { CALCTL_PROFILE: 'plain', CALCTL_BASE_URL: url, CALCTL_NAMESPACE: 'b/v1', CALCTL_LANG: 'ca' }
  const there = worldOf({ cwd: project, env: { HOME: root, XDG_CONFIG_HOME: join(root, 'config'), ...env } })
  expect(await there('tags create --name Jazz')).toMatchObject({
    status: 0,
    err: expect.not.stringContaining('using '),
  })
})

test('a project file without a choice is not named', async () => {
  const { calctl, choose } = await home()
  choose({ lint: {}, distinct: {} })
  expect((await calctl('tags create --name Jazz')).err).not.toContain('using ')
})

test('neither a saved plan nor the journal of a run chooses a calendar', async () => {
  const { calctl, choose, config, requests, project } = await home()
  config('real')
  expect(await calctl(`diff - --resource tags --save ${join(project, 'plan.json')}`, sheet)).toMatchObject({
    status: 0,
  })
  const { err: created } = await calctl('tags create --name Jazz')
  const [, run = ''] = /calctl undo (\w+)/.exec(created) ?? []
  config('plain')
  requests.length = 0
  for (const line of [`apply ${join(project, 'plan.json')} --yes`, `undo ${run} --yes`, `runs resume ${run}`])
    expect(await calctl(line)).toMatchObject({ status: 7 })
  choose({ profile: 'real' })
  for (const line of [`apply ${join(project, 'plan.json')} --yes`, `undo ${run} --yes`, `runs resume ${run}`])
    expect(await calctl(line)).toMatchObject({
      status: 3,
      err: expect.stringContaining('is not trusted: its profile '),
    })
  expect(requests).toEqual([])
})
