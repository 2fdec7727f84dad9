import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
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

/** A layer imports from the layers above it and from its own folder. Folders in one layer never import each other. */
const layers = [
  ['time', 'text', 'failure', 'lock', 'fs'],
  ['contract'],
  ['world', 'globals'],
  ['client', 'service', 'files', 'terminal'],
  ['profiles', 'files/export', 'plan'],
  ['runs'],
  ['undo'],
  ['connect'],
  ['app'],
  ['commands'],
  ['program'],
  ['run'],
  ['main'],
  ['start'],
]

/** The longest entry of `layers` that contains a file. */
const layerEntryOf = (file: string): string =>
  layers
    .flat()
    .filter(home => file === `${home}.ts` || file.startsWith(`${home}/`))
    .toSorted((one, other) => other.length - one.length)[0] ?? ''
const layerOf = (home: string): number => layers.findIndex(homes => homes.includes(home))

test('every file belongs to a layer', () => {
  expect(files.filter(file => layerEntryOf(file) === '')).toEqual([])
})

test('imports run one way', () => {
  const upward = [...imports].flatMap(([file, targets]) => {
    const from = layerEntryOf(file)
    const mayImport = (to: string) => from === to || layerOf(to) < layerOf(from) || to === 'failure'
    return targets.filter(target => !mayImport(layerEntryOf(target))).map(target => `${file} imports ${target}`)
  })
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

/** Folders that still have circles: the list only gets shorter. */
const pending = ['', 'files', 'commands/serve']

for (const folder of folders.filter(folder => !pending.includes(folder)))
  test(`no circle of imports in src/${folder}`, () => {
    expect(circlesIn(folder)).toEqual([])
  })

/** Names that two files share because both do the same thing: to a command and to the service, or in two dialects. */
const sharedNames: readonly string[] = []

test.skip('no two files have one name', () => {
  const places = new Map<string, string[]>()
  for (const file of files) places.set(basename(file, '.ts'), [...(places.get(basename(file, '.ts')) ?? []), file])
  const doubled = [...places].filter(([name, paths]) => paths.length > 1 && !sharedNames.includes(name))
  expect(doubled.map(([, paths]) => paths)).toEqual([])
})
