// The faults that can be planted: those drawn from the sources with a seed, and those of faults.json, which are always among them.
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseSync } from 'oxc-parser'

const root = resolve(import.meta.dirname, '../..')

/** The core: what a kind of value is, merging, writing through each API, executing plans, and undo. */
const core = [
  'src/contract/kinds',
  'src/contract/three-way-merge.ts',
  'src/contract/record.ts',
  'src/client/adapters',
  'src/changes/run',
  'src/changes/undo',
]

const opposites = new Map([
  ['===', '!=='],
  ['!==', '==='],
  ['&&', '||'],
  ['||', '&&'],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
])

/** The faults that can be planted at a node: `{ start, end, text, name, node }`. */
function* faultsAt(node, source) {
  const text = ({ start, end }) => source.slice(start, end)
  const at = ({ start, end }, instead, name) => ({ start, end, text: instead, name, node })
  if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
    const other = opposites.get(node.operator)
    if (other) yield at(node, `${text(node.left)} ${other} ${text(node.right)}`, `${node.operator} becomes ${other}`)
    if (node.operator === '??') yield at(node, text(node.left), 'without ??')
  }
  if (node.type === 'ConditionalExpression')
    yield at(node, `${text(node.test)} ? ${text(node.alternate)} : ${text(node.consequent)}`, 'the other way round')
  if (node.type === 'IfStatement') yield at(node.test, `!(${text(node.test)})`, 'if not')
  if (node.type === 'UnaryExpression' && node.operator === '!') yield at(node, text(node.argument), 'without !')
  if (node.type === 'ExpressionStatement' && /^(await )?[\w.?]+\(/.test(text(node)))
    yield at(node, ';', 'call left out')
  if (node.type === 'ThrowStatement') yield at(node, ';', 'throw left out')
  if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') {
    const method = node.callee.property.name
    if (['filter', 'toSorted', 'trim', 'toLowerCase', 'reverse'].includes(method))
      yield at(node, text(node.callee.object), `without .${method}()`)
    if (method === 'some' || method === 'every')
      yield at(node.callee.property, method === 'some' ? 'every' : 'some', `${method} becomes the other`)
  }
  if (node.type === 'Literal' && typeof node.value === 'boolean') yield at(node, String(!node.value), `${!node.value}`)
}

/** All faults that can be planted in a file. Types are no code, and patterns and imports no decisions. */
function faultsIn(file, source) {
  const faults = []
  const visit = node => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null || /^(TS|Import)/.test(node.type ?? '')) return
    for (const fault of faultsAt(node, source)) faults.push({ ...fault, file })
    for (const key of Object.keys(node)) if (key !== 'parent') visit(node[key])
  }
  visit(parseSync(file, source).program.body)
  return faults
}

/** The files with this ending below a path, which may be such a file itself. */
export async function filesIn(path, ending = '.ts') {
  if (path.endsWith(ending)) return [path]
  const entries = await readdir(join(root, path), { recursive: true })
  return entries.filter(name => name.endsWith(ending)).map(name => join(path, name))
}

/** A generator of numbers below 1 that repeats itself for a seed (mulberry32). */
function randomNumbers(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A source with the fault. */
export const faulty = ({ start, end, text }, source) => source.slice(0, start) + text + source.slice(end)

/**
 * Faults of faults.json: `{ file, code, instead }`, where `code` stands once in the file. One that no longer fits the sources is an
 * error: nothing would be measured.
 */
async function listed(entries, sources) {
  const faults = []
  for (const { file, code, instead, ...more } of entries) {
    const source = await sources(file)
    const start = source.indexOf(code)
    if (start < 0 || source.indexOf(code, start + 1) >= 0)
      throw new Error(`scripts/mutants/faults.json: ${file} does not have this text once: ${code}`)
    faults.push({ file, start, end: start + code.length, text: instead, name: `${code} becomes ${instead}`, ...more })
  }
  return faults
}

/**
 * Chooses faults: `count` of them, those of the list first, the others drawn with the seed from the files below the paths. A fault that
 * changes nothing has `why`, its reason.
 */
export async function chooseFaults({ count, seed, paths = [] }) {
  const known = JSON.parse(await readFile(join(import.meta.dirname, 'faults.json'), 'utf8'))
  const read = new Map()
  const sources = async file => {
    if (!read.has(file)) read.set(file, await readFile(join(root, file), 'utf8'))
    return read.get(file)
  }
  const always = paths.length > 0 ? [] : await listed(known.always, sources)
  const equivalent = await listed(known.equivalent, sources)
  const files = (await Promise.all((paths.length > 0 ? paths : core).map(path => filesIn(path)))).flat().sort()
  const faults = []
  for (const file of files) faults.push(...faultsIn(file, await sources(file)))
  const random = randomNumbers(seed)
  const drawn = always.slice(0, count)
  while (drawn.length < count && faults.length > 0)
    drawn.push(...faults.splice(Math.floor(random() * faults.length), 1))
  const reasons = new Map(equivalent.map(fault => [`${fault.file}\n${faulty(fault, read.get(fault.file))}`, fault.why]))
  return drawn.map((fault, number) => {
    const source = read.get(fault.file)
    const why = reasons.get(`${fault.file}\n${faulty(fault, source)}`)
    return { ...fault, number, source, line: source.slice(0, fault.start).split('\n').length, ...(why && { why }) }
  })
}
