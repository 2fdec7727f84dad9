// Tries an installed calctl on each release of Node that it supports: `node scripts/releases.js FOLDER`, the folder in which npm put the
// package. A release that cannot be installed fails the run: what was not tried is not known to work.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** The lowest release of `engines` in package.json, and the latest of each line, as npm has them. */
const releases = ['20.19.0', '20.19.6', '22.23.5', '24.22.3']

const [, , installed = ''] = process.argv
const root = resolve(import.meta.dirname, '..')
const tls = name => join(root, 'test/support/tls', name)
const folder = mkdtempSync(join(tmpdir(), 'calctl-releases-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** A package may import itself by its name. */
const program = `
import { createCalendarClient } from 'calctl/client'
import { startCalendar } from 'calctl/testing'
const calendar = await startCalendar({ quirks: true, records: { venues: [{ venue: 'Casal' }] } })
const client = createCalendarClient({ url: calendar.url })
const times = { start_date: '2027-01-05 19:00:00', end_date: '2027-01-05 21:00:00' }
const { title, venue } = await client.events.create({ title: 'Ball', venue: 'casal', ...times })
console.log(title, venue.venue)
await calendar.close()
`

const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
if (`>=${releases[0]}`.replace(/\.0$/, '') !== engines.node)
  throw new Error(`package.json supports Node ${engines.node}, and the lowest release tried is ${releases[0]}`)

const page = { tags: [{ id: 1, name: 'Jazz', slug: 'jazz', description: '', count: 1 }], total: 1, total_pages: 1 }
const secure = { key: readFileSync(tls('key.pem')), cert: readFileSync(tls('certificate.pem')) }
const site = createServer(secure, (_, response) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(page)),
)
await new Promise(done => site.listen(0, '127.0.0.1', done))
const url = `https://127.0.0.1:${site.address().port}`

for (const release of releases) await tryOn(release)
site.close()

/** Runs the same command lines and program as everybody's first ones on a release. */
async function tryOn(release) {
  const node = install(release)
  const home = join(folder, `home-${release}`)
  mkdirSync(home)
  const env = { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: home, TZ: 'Europe/Madrid' }
  const run = (...args) => output(node, args, { cwd: home, env })
  const calctl = (...args) => run(join(installed, 'bin/calctl.js'), ...args)
  const event = ['--start-date', '2027-01-05 19:00', '--end-date', '2027-01-05 21:00']

  expect(release, (await run('--version')).trim(), `v${release}`)
  expect(release, await calctl('--version'), `${JSON.parse(readFileSync(join(installed, 'package.json'))).version}\n`)
  expect(release, JSON.parse(await calctl('events', 'list', '--demo', '--json')).length > 0, true)
  expect(
    release,
    await calctl('tags', 'list', '-o', 'ids', '--base-url', url, '--ca-file', tls('certificate.pem')),
    '1\n',
  )
  await calctl('events', 'create', '--title', 'Ball', ...event, '--base-url', 'file:town.json')
  expect(release, await calctl('events', 'list', '-o', 'count', '--base-url', 'file:town.json'), '1\n')
  await calctl('undo', '--yes', '--base-url', 'file:town.json')
  expect(release, await calctl('events', 'list', '-o', 'count', '--base-url', 'file:town.json'), '0\n')
  writeFileSync(join(installed, `program-${release}.mjs`), program)
  expect(release, await run(join(installed, `program-${release}.mjs`)), 'Ball Casal\n')
  console.log(`the packed calctl runs on Node ${release}`)
}

/** The path of the binary of a release, which comes as a package for this machine. */
function install(release) {
  const { platform, arch } = process
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`
  const prefix = join(folder, release)
  mkdirSync(prefix)
  const options = ['--prefix', prefix, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  const { status, stderr } = spawnSync('npm', ['install', ...options, `${name}@${release}`], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`Node ${release} cannot be installed, so calctl was not tried on it:\n${stderr}`)
  return join(prefix, 'node_modules', name, 'bin/node')
}

function output(command, args, options) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let [out, err] = ['', '']
    child.stdout.on('data', text => (out += text))
    child.stderr.on('data', text => (err += text))
    child.on('error', fail)
    child.on('close', status =>
      status === 0 ? done(out) : fail(new Error(`${command} ${args.join(' ')} ended with ${status}:\n${err}`)),
    )
  })
}

function expect(release, found, wanted) {
  if (found !== wanted)
    throw new Error(`on Node ${release}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(found)}`)
}
