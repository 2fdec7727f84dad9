import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { skipped } from '../support/skipped.ts'
import { unpack } from '../support/unpack.ts'

/** What people without Node get. It takes Node's binary from the registry of packages, so it is tested by itself. */

const isLeftOut = !process.env.CALCTL_TEST_BUNDLES
const root = resolve(import.meta.dirname, '../..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const name = `calctl-${version}-linux-x64`
const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

describe.skipIf(isLeftOut)(`the zip for Linux${skipped(isLeftOut, 'only in npm run test:bundles')}`, () => {
  // Not in memory, where other tests have their folders: it takes 500 MB.
  const folder = mkdtempSync('/tmp/calctl-bundles-')
  const made = join(folder, 'made')
  const unpacked = join(folder, 'Descàrregues d’en Pau', name)
  const home = join(folder, 'Núria Roca i Fabré')
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const bundle = (out: string, env = {}) =>
    execFileSync(process.execPath, [join(root, 'scripts/bundle.js'), '--out', out, 'linux-x64'], {
      cwd: folder,
      env: { ...process.env, ...env },
    })

  beforeAll(async () => {
    bundle(made)
    mkdirSync(home)
    await unpack(join(made, `${name}.zip`), join(folder, 'Descàrregues d’en Pau'))
  }, 600_000)

  /** A command line on a machine where nothing else is installed. */
  function calctl(...args: string[]) {
    const env = { PATH: unpacked, HOME: home, TZ: 'Europe/Madrid' }
    const { status, stdout, stderr } = spawnSync(join(unpacked, 'calctl'), args, { cwd: home, env, encoding: 'utf8' })
    return { status, out: stdout, err: stderr }
  }

  test('runs where nothing else is installed', () => {
    expect(calctl('--version')).toEqual({ status: 0, out: `${version}\n`, err: '' })
    const { status, out } = calctl('events', 'list', '--demo', '--json')
    expect(status).toBe(0)
    expect(JSON.parse(out).length).toBeGreaterThan(0)
    expect(calctl('events', 'list', '--demo', '--jq', '.[0].id', '-q').out).toMatch(/^\d+\n$/)
  })

  test('plans, applies and takes back in a calendar file', () => {
    writeFileSync(
      join(home, 'agenda d’hivern.csv'),
      'title,start_date,end_date\nBall,2027-01-05 19:00,2027-01-05 21:00\n',
    )
    const at = ['--base-url', 'file:calendari del poble.json']
    expect(calctl('diff', 'agenda d’hivern.csv', ...at, '--save', 'pla.json')).toMatchObject({
      status: 0,
      out: expect.stringContaining('+ "Ball"'),
    })
    const { status, err } = calctl('apply', 'pla.json', ...at, '--yes')
    expect([status, err]).toEqual([0, expect.stringMatching(/Undo: calctl undo/)])
    expect(calctl('events', 'list', '--all-dates', '--fields', 'title', ...at).out).toContain('Ball')
    expect(calctl('undo', '--yes', ...at)).toMatchObject({ status: 0 })
    expect(calctl('events', 'list', '--all-dates', '-o', 'count', ...at).out).toBe('0\n')
  })

  test('locks a calendar file as the system does', () => {
    const prebuilds = join(unpacked, 'node_modules/fs-native-extensions/prebuilds')
    expect(readdirSync(prebuilds)).toEqual(['linux-x64'])
  })

  test.each(['calctl', '../bin/calctl', 'a link to a link'])('starts by %s', link => {
    const bin = join(folder, 'bin')
    rmSync(bin, { recursive: true, force: true })
    mkdirSync(bin)
    symlinkSync(join(unpacked, 'calctl'), join(bin, 'calctl'))
    symlinkSync('calctl', join(bin, 'a link to a link'))
    const program = link === 'calctl' ? ['-c', 'calctl --version'] : ['-c', `"$0" --version`, join(bin, link)]
    const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: home }
    expect(spawnSync('/bin/sh', program, { env, cwd: bin, encoding: 'utf8' })).toMatchObject({ stdout: `${version}\n` })
  })

  test('passes arguments and the exit status on as they are', () => {
    const odd = ['', 'a b', '"', "'", '$HOME', '`id`', '*', '-n', 'ñ’…']
    for (const text of odd) {
      const { status, err } = calctl('events', 'get', '--demo', '--by-slug', '--', `x${text}`)
      expect([text, status]).toEqual([text, 4])
      expect(err).toContain(`x${text}`)
    }
    expect(calctl('events', 'lsit').status).toBe(2)
  })

  test('says what is in it, under which licenses', () => {
    const { components, dependencies } = JSON.parse(readFileSync(join(unpacked, 'dist/sbom.cdx.json'), 'utf8'))
    const node = components.find((one: Record<string, string>) => one.name === 'node')
    expect(node.hashes[0].content).toBe(sha256(join(unpacked, 'runtime/node')))
    const release = execFileSync(join(unpacked, 'runtime/node'), ['--version'], { encoding: 'utf8' })
    expect(`v${node.version}\n`).toBe(release)
    expect(dependencies.map(({ ref }: { ref: string }) => ref)).toContain(node['bom-ref'])
    const licenses = readFileSync(join(unpacked, 'dist/LICENSES.txt'), 'utf8')
    expect(licenses).toContain(`Node.js ${node.version}\n\nNode.js is licensed for use as follows`)
    expect(licenses).toContain('commander ')
  })

  test('is the same, byte by byte, in another place, time zone and hour', () => {
    const again = join(folder, 'again')
    bundle(again, { TZ: 'Pacific/Auckland', LANG: 'ca_ES.UTF-8' })
    for (const file of readdirSync(made))
      expect([file, sha256(join(again, file))]).toEqual([file, sha256(join(made, file))])
    const sums = readFileSync(join(made, 'SHA256SUMS'), 'utf8').trim().split('\n')
    expect(sums).toEqual([`${name}.mcpb`, `${name}.zip`].map(file => `${sha256(join(made, file))}  ${file}`))
  })

  test('a bundle for MCP clients starts the server as its manifest says', async () => {
    const place = join(folder, 'Extensions d’en Pau')
    await unpack(join(made, `${name}.mcpb`), place)
    const { server, tools, user_config } = JSON.parse(readFileSync(join(place, 'manifest.json'), 'utf8'))
    const fill = (text: string) =>
      text.replaceAll(/\$\{__dirname\}/g, place).replace(/\$\{user_config\.profile\}/, user_config.profile.default)
    const { command, args } = server.mcp_config
    expect(fill(command)).toBe(join(place, server.entry_point))
    const transport = new StdioClientTransport({
      command: fill(command),
      args: args.map(fill),
      env: { HOME: home, PATH: '' },
      cwd: home,
    })
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport)
    const offered = (await client.listTools()).tools.map(({ name }) => name)
    await client.close()
    expect(tools.map((tool: { name: string }) => tool.name).toSorted()).toEqual(offered.toSorted())
  })

  test('for macOS it takes a binary that it is given, and no other file', () => {
    const fake = join(folder, 'node')
    writeFileSync(fake, Buffer.from('cffaedfe0c00000100000000', 'hex'))
    const run = (given: string) =>
      spawnSync(process.execPath, [join(root, 'scripts/bundle.js'), '--out', join(folder, 'mac'), '--node', given], {
        encoding: 'utf8',
      })
    expect(run(`darwin-arm64:22.23.3:${fake}`).stdout).toMatch(/ {2}calctl-[\d.]+-darwin-arm64\.zip\n$/)
    expect(run(`darwin-x64:22.23.3:${fake}`)).toMatchObject({
      stderr: expect.stringContaining('is no program for darwin-x64'),
    })
    expect(run(`win32-x64:22.23.3:${fake}`)).toMatchObject({
      stderr: expect.stringContaining('--node: expected darwin-arm64'),
    })
  })
})
