import { execFileSync, spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { skipped } from './support/skipped.ts'

const root = resolve(import.meta.dirname, '..')
const dist = join(root, 'dist')
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

const lacksDist = !existsSync(dist)
const whyNot = skipped(lacksDist, 'no dist: run npm run build')

describe.skipIf(lacksDist)(`a code cache${whyNot}`, () => {
  /** Sentences of the help that stand once in the bundle; a line break may divide one of them. */
  const sentences = [
    'Find a text in records of all kinds',
    'Show the history of writes',
    'Show a saved plan in a calendar',
  ]
  const edited = (sentence: string) => sentence.replace('in', 'un').replace('the', 'tha')

  /** A copy of dist whose help has another word, with the cache of the original. */
  function editedDist() {
    const folder = mkdtempSync(join(tmpdir(), 'calctl-dist-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    cpSync(dist, folder, { recursive: true })
    const main = join(folder, 'main.js')
    const source = readFileSync(main, 'utf8')
    const sentence = sentences.find(one => source.split(one).length === 2) ?? ''
    expect(sentence).not.toBe('')
    writeFileSync(main, source.replace(sentence, edited(sentence)))
    return { folder, main, source, text: edited(sentence) }
  }

  const help = (folder: string) =>
    spawnSync(process.execPath, [join(folder, 'start.js'), '--help'], { encoding: 'utf8' }).stdout

  test('is used for the bundle that it was made of', () => {
    const { folder, main, source, text } = editedDist()
    spawnSync(process.execPath, [join(root, 'scripts/warm.js'), main, '--help'])
    writeFileSync(main, source)
    expect(help(folder)).toContain(text)
  })

  test('of the same length is not used for a bundle that was edited', () => {
    const { folder, main, text } = editedDist()
    const minuteLater = new Date(Date.now() + 60_000)
    utimesSync(main, minuteLater, minuteLater)
    expect(help(folder)).toContain(text)
  })

  test('of the same length is not used for a bundle of another build', () => {
    const { folder, main, text } = editedDist()
    writeFileSync(main, readFileSync(main, 'utf8').replace(/^..\w{8}/, '/*00000000'))
    expect(help(folder)).toContain(text)
  })
})

test.skipIf(lacksDist)(`every code cache is named after the release of Node that made it${whyNot}`, () => {
  const caches = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.cache'))
  expect(caches.length).toBeGreaterThan(1)
  for (const name of caches) expect(name).toMatch(/\.js\.v\d+\.\d+\.\d+-\w+\.cache$/)
})

test.skipIf(lacksDist)(
  `every link in a packed document leads to a packed file, and no code cache is packed${whyNot}`,
  () => {
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
    const [{ files }] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }))
    const packed: string[] = files.map(({ path }: { path: string }) => path)
    const isPacked = (path: string) => packed.some(file => file === path || file.startsWith(`${path}/`))
    const linksIn = (file: string) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link)
    const dead = packed
      .filter(file => file.endsWith('.md'))
      .flatMap(file => linksIn(file).map(link => [file, normalize(join(dirname(file), link))] as const))
      .filter(([, target]) => !isPacked(target))
    expect(dead).toEqual([])
    expect(packed.filter(file => file.endsWith('.cache'))).toEqual([])
  },
)

test('a build that would call a class late fails', async () => {
  const { lateFunctions } = await import(/* @vite-ignore */ join(root, 'scripts/late-functions.js'))
  const library = { Table: class {}, createHash() {}, X509Certificate }
  expect(lateFunctions('node:crypto', ['createHash'], library)).toContain('export const createHash = ')
  expect(() => lateFunctions('node:crypto', ['createHash', 'X509Certificate'], library)).toThrow(
    'X509Certificate of node:crypto is a class, which cannot be called late',
  )
  expect(() => lateFunctions('it', ['Table'], library)).toThrow('Table of it is a class')
  expect(() => lateFunctions('it', ['nothing'], library)).toThrow('it has no function nothing')
})

test.skipIf(lacksDist)(`the bundle calls the modules of Node that it loads late${whyNot}`, () => {
  // Makes a random token, and cannot listen at an address for documentation.
  const options = ['serve', '--demo', '--open', '--host', '192.0.2.1', '--port', '0']
  const { stderr } = spawnSync(process.execPath, [join(dist, 'start.js'), ...options], { encoding: 'utf8' })
  expect(stderr).toMatch(/^error: .*192\.0\.2\.1/)
})

test.skipIf(lacksDist)(`the bill of materials has what is bundled and what is installed with it${whyNot}`, () => {
  const { bomFormat, components } = json(join(dist, 'sbom.cdx.json'))
  expect(bomFormat).toBe('CycloneDX')
  const { optionalDependencies, devDependencies } = json(join(root, 'package.json'))
  const versions = new Map<string, string>(
    components.map(({ group, name, version }: Record<string, string>) => [group ? `${group}/${name}` : name, version]),
  )
  for (const name of ['commander', 'undici', 'zod', 'yaml', '@inquirer/prompts'])
    expect([name, versions.get(name)]).toEqual([name, devDependencies[name]])
  for (const [name, version] of Object.entries(optionalDependencies))
    expect([name, versions.get(name)]).toEqual([name, version])
  for (const name of ['vitest', 'ajv', 'ajv-formats', 'ical.js'])
    expect([name, versions.has(name)]).toEqual([name, false])
})

test('the lock file has the checksum of every package, except development tools for other machines', () => {
  const { packages } = json(join(root, 'package-lock.json')) as { packages: Record<string, Record<string, unknown>> }
  const unchecked = Object.entries(packages).filter(([folder, { integrity }]) => folder !== '' && !integrity)
  const others = unchecked.filter(
    ([folder, { dev, optional }]) =>
      !dev || !optional || !/^node_modules\/(@biomejs\/cli|@oxc-parser\/binding)-/.test(folder),
  )
  expect(others.map(([folder]) => folder)).toEqual([])
})
