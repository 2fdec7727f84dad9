import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hidePassword } from '../../src/base/text/secrets.ts'
import { event, feed } from './feed-server.ts'
import { folder } from './folder.ts'
import { web } from './web.ts'

/** The text of all files below a folder. */
const allFiles = (root: string): string =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name !== 'sources.yaml')
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')

const addresses = [
  ['/a.ics?key=SECRET', 'SECRET'],
  ['/calendar/ical/town%40group.example/private-3f9a0c5d7e1b48a6927d4f0e8c6b5a31/basic.ics', '3f9a0c5d'],
  ['/owa/calendar/7c9e6679-7425-40de-944b-e07fc1f90ae7@town.example/calendar.ics', '7425-40de'],
  ['/feed/Qm9vS3RhZ2VUb3duMjAyNg-x_Y/agenda', 'Qm9vS3Rh'],
] as const

const concert = event({ uid: 'a', title: 'Concert' })

test.each(addresses)(
  'a secret in the address of a source is in no message, plan, journal or memory: %s',
  async (path, secret) => {
    await tryAddress(path, secret, url => ({ place: url + path }))
  },
)

test('an address that is a secret as a whole comes from the environment', async () => {
  await tryAddress('/agenda/vila/actes', '/vila/actes', (url, env) => {
    env.TOWN_FEED = `${url}/agenda/vila/actes`
    return { place: 'env:TOWN_FEED' }
  })
})

async function tryAddress(
  path: string,
  secret: string,
  sourceAt: (url: string, env: Record<string, string>) => { place: string },
) {
  const { url, answers } = await web({ [path]: feed(concert) })
  const env: Record<string, string> = {}
  const { place } = sourceAt(url, env)
  const { calctl, root } = folder({ 'sources.yaml': `sources:\n  - name: a\n    place: ${place}\n` }, env)
  const said: string[] = []
  const run = async (line: string) => {
    const { out, err } = await calctl(line)
    said.push(out, err)
  }
  await run('trust')
  await run('sources plan --save plan.json')
  await run('sources apply --yes --debug --print-curl')
  await run('runs show --json')
  expect(said.join('\n')).toContain('1 to create')
  answers[path] = '<html>SORRY</html>'
  await run('sources apply --yes')
  answers[path] = (_, response) => response.writeHead(302, { location: `https://moved.example${path}` }).end()
  await run('sources apply --yes')
  expect(said.join('\n')).toContain('redirects to https://moved.example/')
  delete answers[path]
  await run('sources apply --yes')
  await run('sources status --json')
  expect(said.join('\n')).toContain('404')
  expect(said.join('\n')).not.toContain(secret)
  expect(allFiles(root)).not.toContain(secret)
}

test.each(addresses)('nor is one in the address of a feed that is applied: %s', async (path, secret) => {
  const { url, answers } = await web({ [path]: feed(concert) })
  const { calctl, root } = folder()
  const said: string[] = []
  const run = async (line: string) => {
    const { out, err, status } = await calctl(line)
    said.push(out, err)
    return { out, err, status }
  }
  await run(`apply ${url}${path} --yes`)
  await run('events update 1 --title Estrena')
  answers[path] = feed(event({ uid: 'a', title: 'Gran vetllada' }))
  const { err } = await run(`apply ${url}${path} --yes`)
  const command = /calctl (sources review --feed \S+)/.exec(err)?.[1]
  expect((await run(`${command} -o csv --fields state,said`)).out).toBe('state,said\nconflict,Gran vetllada\n')
  answers[path] = 'SORRY'
  await run(`apply ${url}${path} --yes`)
  delete answers[path]
  for (const line of [`apply ${url}${path} --yes`, 'history --json', 'runs show --json']) await run(line)
  expect(said.join('\n')).toContain('answered 404')
  expect(said.join('\n')).not.toContain(secret)
  expect(allFiles(root)).not.toContain(secret)
})

test('a text of the environment that is no address is not repeated', async () => {
  const { calctl } = folder({ 'sources.yaml': 'sources:\n  - name: a\n    place: env:TOKEN\n' }, { TOKEN: 'SECRET' })
  expect(await calctl('sources plan')).toMatchObject({ err: expect.stringContaining('calctl trust') })
  await calctl('trust')
  const { status, err } = await calctl('sources plan')
  expect({ status, err }).toEqual({ status: 6, err: expect.not.stringContaining('SECRET') })
  expect(err).toContain('env:TOKEN')
})

test.each([
  'https://example.org/wp-json/tribe/events/v1/events/by-slug/storytime-example-org-6619d22227-20261128',
  'https://example.org/feeds/Agenda-Desembre-2026.ics?month=2026-12',
  'https://example.org/festa-major-de-sant-miquel-2026/42a-mostra-de-teatre',
  '/calendar/events/v1/events?per_page=50&start_date=2026-12-01',
])('an address without a key is shown as it is: %s', address => {
  expect(hidePassword(address)).toBe(address)
})

test('credentials in an address are refused, and not repeated', async () => {
  const { calctl } = folder()
  const { status, err } = await calctl('sources add a https://ada:SECRET@town.example/a.ics')
  expect({ status, err }).toEqual({ status: 2, err: expect.not.stringContaining('SECRET') })
})
