import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'

const src = resolve(import.meta.dirname, '../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))

/** The relative imports of every file, including dynamic and type-only ones, as paths below `src`. */
const imports = new Map(
  files.map(file => {
    const code = readFileSync(join(src, file), 'utf8')
    const targets = [...code.matchAll(/(?:from |import\(|import )'(\.[^']+\.ts)'/g)].map(([, target = '']) =>
      relative(src, resolve(src, dirname(file), target)),
    )
    return [file, targets.filter(target => !target.startsWith('..'))] as const
  }),
)

/** Each room imports from those before it and from itself; the client and the service do not know each other. */
const rooms = [
  'base',
  'contract',
  'client',
  'service',
  'files',
  'changes',
  'care',
  'sources',
  'testing',
  'page',
  'assistants',
  'cli',
  'main',
  'start',
]
const strangers = ['client', 'service']

const roomOf = (file: string): string => file.split('/')[0]?.replace(/\.ts$/, '') ?? ''

/** What a module imports when it is loaded: neither types nor late imports. */
function loadedWith(file: string): string[] {
  const code = readFileSync(join(src, file), 'utf8')
  return parseSync(file, code)
    .module.staticImports.filter(({ entries }) => entries.length === 0 || entries.some(entry => !entry.isType))
    .map(({ moduleRequest: { value } }) =>
      value.startsWith('.') ? relative(src, resolve(src, dirname(file), value)) : value,
    )
}

test('the tree of commands, which every command and all help load, loads no library but those that the bundle holds', () => {
  const loaded = new Set(['main.ts'])
  for (const file of loaded) if (file.endsWith('.ts')) for (const target of loadedWith(file)) loaded.add(target)
  const libraries = [...loaded].filter(one => !one.includes('.') && !one.startsWith('node:'))
  const late = ['chalk', 'entities/decode'] // The build loads them with the first call: scripts/build.js, `calledLate`.
  expect(libraries.filter(one => !late.includes(one)).toSorted()).toEqual([
    '@ultraq/icu-message-formatter',
    'commander',
    'fastest-levenshtein',
  ])
})

test('src has twelve rooms and two files', () => {
  expect([...new Set(files.map(roomOf))].toSorted()).toEqual(rooms.toSorted())
  expect(files.filter(file => !file.includes('/'))).toEqual(['main.ts', 'start.ts'])
})

test('imports run one way', () => {
  const mayImport = (from: string, to: string) =>
    from === to || (rooms.indexOf(to) < rooms.indexOf(from) && !(strangers.includes(from) && strangers.includes(to)))
  const upward = [...imports].flatMap(([file, targets]) =>
    targets.filter(target => !mayImport(roomOf(file), roomOf(target))).map(target => `${file} imports ${target}`),
  )
  expect(upward).toEqual([])
})

/** Circles between the files and folders of a folder, each as `a -> b -> a`. */
function circlesIn(folder: string): string[] {
  const depth = folder === '' ? 0 : folder.split('/').length
  const childOf = (file: string) => file.split('/')[depth] ?? ''
  const isInside = (file: string) => folder === '' || file.startsWith(`${folder}/`)
  const graph = new Map<string, Set<string>>()
  for (const [file, targets] of imports) {
    if (!isInside(file)) continue
    const neighbours = graph.get(childOf(file)) ?? new Set()
    graph.set(childOf(file), neighbours)
    for (const target of targets.filter(isInside))
      if (childOf(target) !== childOf(file)) neighbours.add(childOf(target))
  }
  const circles: string[] = []
  const finished = new Set<string>()
  const visit = (child: string, path: readonly string[]) => {
    if (path.includes(child)) circles.push([...path.slice(path.indexOf(child)), child].join(' -> '))
    if (path.includes(child) || finished.has(child)) return
    for (const next of graph.get(child) ?? []) visit(next, [...path, child])
    finished.add(child)
  }
  for (const child of graph.keys()) visit(child, [])
  return circles
}

const folders = ['', ...new Set(files.map(file => dirname(file)).filter(folder => folder !== '.'))]

for (const folder of folders)
  test(`no circle of imports in src/${folder}`, () => {
    expect(circlesIn(folder)).toEqual([])
  })

const repository = resolve(src, '..')

/** All files of the repository that people write, and the folders that they are in. */
const paths = ['src', 'test', 'bench', 'scripts', 'bin', 'docs', 'action', '.ci'].flatMap(folder => [
  folder,
  ...readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' }).map(path => join(folder, path)),
])

/** Folders that the build makes. */
const built = ['dist', 'man']

const isPath = (name: string): boolean => {
  const path = name.replace(/\/$/, '')
  if (built.includes(path.split('/')[0] ?? '')) return true
  return paths.some(each => each === path || (!path.startsWith('src/') && each.endsWith(`/${path}`)))
}

/** The names of files and folders in a text: `x.ts`, `` `folder/` ``, `src/folder/x`. */
const namesIn = (text: string): string[] => [
  ...(text.match(/(?<![\w/.$*-])(?:[\w.-]+\/)*[\w][\w.-]*\.ts\b/g) ?? []),
  ...[...text.matchAll(/`((?:[\w.-]+\/)+)`/g)].map(([, folder = '']) => folder),
  ...(text.match(/(?<![\w/.-])src\/[\w/-]*\w(?![\w.-])/g) ?? []),
]

const commentsIn = (file: string): string =>
  parseSync(file, readFileSync(join(src, file), 'utf8'))
    .comments.map(({ value }) => value)
    .join('\n')

test.each([
  ['comments', files.map(file => [`src/${file}`, commentsIn(file)] as const)],
  ['CONTRIBUTING.md', [['CONTRIBUTING.md', readFileSync(join(repository, 'CONTRIBUTING.md'), 'utf8')] as const]],
])('%s: the files and folders that it names exist', (_, texts) => {
  const stale = texts.flatMap(([file, text]) =>
    namesIn(text)
      .filter(name => !isPath(name))
      .map(name => `${file} names ${name}`),
  )
  expect(stale).toEqual([])
})

/** Names that files of several folders share, and why they mean one thing. */
const sharedNames: Readonly<Record<string, string>> = {
  list: 'a verb of the API: the command, the service, and the dialects',
}

/** A dialect has its part of a subject in a file of the same name. */
const isDialect = (file: string) => file.startsWith('service/documented/') || file.startsWith('service/production/')

test('no two files have one name', () => {
  const paths = new Map<string, string[]>()
  for (const file of files) paths.set(basename(file, '.ts'), [...(paths.get(basename(file, '.ts')) ?? []), file])
  const repeated = [...paths].filter(([, same]) => same.length > 1)
  const isDialectName = ([name, same]: [string, string[]]) =>
    same.every(file => isDialect(file) || file === `service/${name}.ts`)
  const unexplained = repeated.filter(entry => !isDialectName(entry) && !(entry[0] in sharedNames))
  expect(unexplained.map(([, same]) => same)).toEqual([])
  expect(Object.keys(sharedNames).filter(name => !repeated.some(([other]) => other === name))).toEqual([])
})

/** What each dialect of the service has of its own. */
const partsOfDialects = ['check', 'refusalDialect', 'writeDialect']

test('no name that is exported has two meanings', () => {
  const modules = new Map<string, string[]>()
  // A description of types stands beside the module that it describes.
  for (const file of files.filter(file => !file.endsWith('.d.ts'))) {
    const code = readFileSync(join(src, file), 'utf8')
    for (const [, name = ''] of code.matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm))
      modules.set(name, [...(modules.get(name) ?? []), file])
  }
  const shared = [...modules].filter(([name, all]) => new Set(all).size > 1 && !partsOfDialects.includes(name))
  expect(shared).toEqual([])
})

test.each(['changes', 'files'])('%s does not know what kinds of sites there are', folder => {
  const words = files
    // The export of a site is a format of its own.
    .filter(file => file.startsWith(`${folder}/`) && file !== 'files/site-export.ts')
    .flatMap(file => {
      const lines = readFileSync(join(src, file), 'utf8').split('\n')
      return lines.filter(line => /wordpress|tribe|\bwp\b|namespace ===/i.test(line)).map(line => `${file}: ${line}`)
    })
  expect(words).toEqual([])
})

test('only adapters write to the calendar request by request', () => {
  const writes = files
    .filter(file => !/^(client\/(adapters|languages|client|create-client)|cli\/connect)/.test(file))
    .filter(file => /\bCalendarApi\b|\.wordpress\(/.test(readFileSync(join(src, file), 'utf8')))
  expect(writes).toEqual([])
})

test('only adapters and the record know how an answer shows what is stored', () => {
  const reads = files
    .filter(file => /^(changes|care|cli|files\/(export|icalendar|print))\//.test(file))
    .filter(file =>
      /\braw\?\.|[{,]\s*raw[\s:,}]|\b(?:record|before|answer|event|row|current)\.raw\b/.test(
        readFileSync(join(src, file), 'utf8'),
      ),
    )
    .filter(file => !/^changes\/run\/kept-rows|^cli\/terminal/.test(file))
  expect(reads).toEqual([])
})
