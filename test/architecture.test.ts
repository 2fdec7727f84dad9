import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

/** A floor may import from its own floor and from those before it, and from its own folder; neighbours on a floor never meet. */
const floors = [
  ['time', 'text', 'failure', 'folder', 'claim'],
  ['contract'],
  ['world'],
  ['client', 'service', 'files', 'terminal'],
  ['profiles', 'bulk'],
  ['connect', 'app', 'calendar'],
  ['commands'],
  ['program'],
  ['run'],
  ['main'],
  ['start'],
  ['start'],
]

const src = resolve(import.meta.dirname, '../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))
const room = (file: string) => relative(src, file).split('/')[0]?.replace(/\.ts$/, '') ?? ''
const floor = (name: string) => floors.findIndex(names => names.includes(name))

test('every room stands on a floor', () => {
  expect(files.map(file => room(join(src, file))).filter(name => floor(name) < 0)).toEqual([])
})

test('imports run one way', () => {
  const wrong = files.flatMap(file => {
    const path = join(src, file)
    const code = readFileSync(path, 'utf8')
    return [...code.matchAll(/(?:from |import\()'(\.[^']+)'/g)]
      .map(([, target = '']) => resolve(dirname(path), target))
      .filter(target => target.startsWith(src) && !mayImport(room(path), room(target)))
      .map(target => `${file} imports ${relative(src, target)}`)
  })
  expect(wrong).toEqual([])
})

/** `app` and `connect` describe one another by type only. */
function mayImport(from: string, to: string): boolean {
  if (from === to) return true
  if (floor(from) === floor(to)) return floors[floor(from)]?.includes('app') === true || to === 'failure'
  return floor(to) < floor(from)
}
