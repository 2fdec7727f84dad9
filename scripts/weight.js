// Prints the lines of code of each room of src with its ceiling in weight.json, and refuses what is above: `npm run weight`. A room that
// needs more takes it from the ceiling of another room, in the same commit.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseSync } from 'oxc-parser'

const root = resolve(import.meta.dirname, '..')
const textOf = file => readFileSync(join(root, file), 'utf8')

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  .map(name => join('src', name))

/** The folder of src; `loose` for the files beside the folders. */
const roomOf = file => (file.split(/[\\/]/).length > 2 ? file.split(/[\\/]/)[1] : 'loose')

/** The lines of a source that have more than comments. */
function codeLines(file) {
  let text = textOf(file)
  const { comments } = parseSync(file, text)
  for (const { start, end } of comments.toReversed())
    text = text.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, ' ') + text.slice(end)
  return text.split('\n').filter(line => line.trim() !== '').length
}

/** Every function of a source: `{ lines, parameters }`. */
function* functionsIn(file) {
  const text = textOf(file)
  const open = [parseSync(file, text).program]
  while (open.length > 0) {
    const node = open.pop()
    if (!node || typeof node !== 'object') continue
    if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type))
      yield { lines: text.slice(node.start, node.end).split('\n').length, parameters: node.params.length }
    open.push(...(Array.isArray(node) ? node : Object.values(node)))
  }
}

function weightOf(files) {
  const functions = files.flatMap(file => [...functionsIn(file)])
  return {
    code: files.reduce((sum, file) => sum + codeLines(file), 0),
    longFunctions: functions.filter(({ lines }) => lines > 60).length,
    manyParameters: functions.filter(({ parameters }) => parameters > 4).length,
  }
}

/** The size of the bundle, in kB. */
function bundleSize() {
  const bundle = join(root, 'dist/main.js')
  if (!existsSync(bundle)) throw new Error('there is no dist/main.js to weigh: build first')
  return Math.ceil(statSync(bundle).size / 1000)
}

/** Each figure with its ceiling, as `{ place, name, figure, ceiling }`. */
function figures() {
  const { rooms, all, dist } = JSON.parse(textOf('weight.json'))
  const kB = bundleSize()
  const places = new Set([...Object.keys(rooms), ...sources.map(roomOf)])
  const weights = [...places].map(place => [place, weightOf(sources.filter(file => roomOf(file) === place))])
  const code = weights.reduce((sum, [, weight]) => sum + weight.code, 0)
  return [
    // What has no ceiling may not be there.
    ...weights.flatMap(([place, weight]) =>
      Object.entries(weight).map(([name, figure]) => ({ place, name, figure, ceiling: rooms[place]?.[name] ?? 0 })),
    ),
    { place: 'all', name: 'code', figure: code, ceiling: all?.code ?? 0 },
    { place: 'dist', name: 'kB of main.js', figure: kB, ceiling: dist?.['kB of main.js'] ?? 0 },
  ]
}

const row = (...cells) => cells.map((cell, index) => (index === 0 ? cell.padEnd(10) : `${cell}`.padStart(8))).join('')

const weighed = figures()
console.log(row('room', 'lines', 'ceiling'))
for (const { place, figure, ceiling } of weighed.filter(({ name }) => name === 'code'))
  console.log(row(place, figure, ceiling))
const over = weighed.filter(({ figure, ceiling }) => figure > ceiling)
for (const { place, name, figure, ceiling } of over)
  console.error(`error: ${place}: ${said(name)}: ${figure}, and the ceiling in weight.json is ${ceiling}`)
if (over.length > 0) {
  console.error(
    'hint: make room, or take it from the ceiling of another room in the same commit, and say why in its message',
  )
  process.exitCode = 1
}

function said(name) {
  const names = {
    code: 'lines of code',
    longFunctions: 'functions of more than 60 lines',
    manyParameters: 'functions of more than four parameters',
  }
  return names[name] ?? name
}
