import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { skipped } from '../support/skipped.ts'

/** Whoever registers a name that we only mention gets what our users send there: passwords, or a place in their programs. */

const root = resolve(import.meta.dirname, '../..')
const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
/** What people get: the package, the action, the image and the documents; `src` for `dist`, which has texts of libraries, too. */
const isShipped =
  /^(src|bin|docs|action|\.github)\/.*\.(ts|js|json|md|ya?ml|\d)$|^(action\.yml|Dockerfile|package\.json|[A-Z]+\.md)$/
const files = tracked
  .filter(file => isShipped.test(file))
  .map(file => ({ file, text: readFileSync(join(root, file), 'utf8') }))

/** A path, a variable with one, an option, or a comment behind the command. */
const isOurs = (word: string): boolean => /^(\.|\/|\$|"\$|-|#)/.test(word)

/** The words of each command that begins like this, up to the end of the line or of the code. */
const commands = (text: string, beginning: RegExp): string[][] =>
  [...text.matchAll(new RegExp(`${beginning.source}([^\\n\`'|&;]*)`, 'g'))].map(([, rest = '']) =>
    rest.replace(/\s#.*/, '').trim().split(/\s+/).filter(Boolean),
  )

const withValue = new Set(['--prefix', '--pack-destination'])
const named = (words: readonly string[]): string[] =>
  words.filter((word, index) => !isOurs(word) && !withValue.has(words[index - 1] ?? ''))

/** Names that nobody can register (RFC 2606, RFC 6761), and parts of a name. */
const isReserved = (host: string): boolean =>
  /(^|\.)(example|test|invalid|localhost)$|(^|\.)example\.(org|com|net)$|^[\d.]+$|^[A-Z-]+$|^[^.]*$/.test(host)

/** Addresses of others that are meant: of standards, of what calctl works with, and of the owners of formats. */
const others = new Set([
  // The cultural agenda of Catalonia, an example of open data.
  'analisi.transparenciacatalunya.cat',
  'api.w.org',
  'jqlang.org',
  'json.schemastore.org',
  'keepachangelog.com',
  'schema.org',
  'schemas.openxmlformats.org',
  'wordpress.org',
  // The map to which the page of a place links.
  'www.openstreetmap.org',
  'www.w3.org',
])

const actionsOfOthers = /^(actions\/\w[\w-]*|github\/codeql-action\/[\w-]+)@v\d+$/

/** Development tools that npm has installed by then, from the lock file. */
const tools = new Set(['vitest', 'biome'])

/** The names in a text that are not ours. */
function foreignNames(text: string): string[] {
  const code = text.replace(/^\s*(\*|\/\/).*$/gm, '')
  return [
    ...[...text.matchAll(/\bcalctl@[\w^~*.$-]+/g)].map(([name]) => name).filter(name => name !== 'calctl@COMMIT'),
    ...commands(code, /\bnpx /)
      .map(words => words.find(word => !word.startsWith('-')) ?? '.')
      .filter(word => !isOurs(word) && !tools.has(word)),
    ...commands(code, /\bnpm (?:i|install|add|exec|ci) /).flatMap(named),
    ...[...text.matchAll(/^\s*(?:- )?uses: +([^\s,]+)$/gm)]
      .map(([, name = '']) => name)
      .filter(name => name !== 'OWNER/calctl@COMMIT' && !actionsOfOthers.test(name)),
    ...[...text.matchAll(/\b(?:ghcr|quay|docker|gcr)\.io\b/g)].map(([name]) => name),
    ...[...text.matchAll(/docker (?:pull|run(?! --pull never)).*/g)].map(([command]) => command),
    ...[
      ...text.matchAll(/\bhttps?:\/\/([\w.-]+\.[a-zA-Z]{2,})/g),
      ...text.matchAll(/\b[\w.+-]+@([\w-]+(?:\.[\w-]+)*\.[a-z]{2,})\b/g),
    ]
      .map(([, host = '']) => host)
      .filter(host => !isReserved(host) && !others.has(host)),
  ]
}

test('nothing that ships names a package, an action, an image or an address that is not ours', () => {
  const found = files.flatMap(({ file, text }) => foreignNames(text).map(name => `${file}: ${name}`))
  expect(found).toEqual([])
})

test.each([
  'run: npm install --global "calctl@$VERSION"',
  'npx calctl events list',
  'npx --yes calctl@latest events list',
  'npm install -g calctl',
  'npm install --save-dev calctl',
  '      - uses: calctl/calctl@v0.1.0',
  'docker run -p 127.0.0.1:8787:8787 calctl',
  'docker pull calctl',
  'FROM ghcr.io/somebody/calctl',
  'see https://calctl.dev/docs',
  'write to calctl@calctl.io',
])('%s is found', text => {
  expect(foreignNames(text)).not.toEqual([])
})

test('the law reads what ships', () => {
  const names = files.map(({ file }) => file)
  for (const file of [
    'README.md',
    'action.yml',
    'action/run.js',
    'docs/scripting.md',
    'docs/ca/dates.md',
    'Dockerfile',
  ])
    expect(names).toContain(file)
})

test('images are built from an official image of Node', () => {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8')
  for (const [, image = ''] of text.matchAll(/^FROM (\S+)/gm)) expect(image).toMatch(/^node:\d+(-\w+)?$/)
})

const lacksDist = !existsSync(join(root, 'dist'))
test.skipIf(lacksDist)(`neither does the bundle${skipped(lacksDist, 'no dist: run npm run build')}`, () => {
  const text = readFileSync(join(root, 'dist/main.js'), 'latin1')
  expect(text.match(/\bcalctl@(latest|\d)|npx (--yes )?calctl|npm (i|install) [^"`\n]*\bcalctl\b/g)).toBeNull()
})
