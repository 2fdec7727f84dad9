// Compares the weight of each room of src with its budget in weight.json: `npm run weight`. A figure may fall, and the budget with it
// (`npm run weight -- --update`); one that rises needs its reason beside it.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseSync } from 'oxc-parser'

const root = resolve(import.meta.dirname, '..')
const budgetFile = join(root, 'weight.json')

const filesIn = (folder, extension = '.ts') =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith(extension) && !name.endsWith('.d.ts'))
    .map(name => join(folder, name))

const textOf = file => readFileSync(join(root, file), 'utf8')

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

function weightOf(folder) {
  const files = filesIn(folder)
  const functions = files.flatMap(file => [...functionsIn(file)])
  return {
    files: files.length,
    code: files.reduce((sum, file) => sum + codeLines(file), 0),
    longFunctions: functions.filter(({ lines }) => lines > 60).length,
    manyParameters: functions.filter(({ parameters }) => parameters > 4).length,
  }
}

function measured() {
  const bundle = join(root, 'dist/main.js')
  if (!existsSync(bundle)) throw new Error('there is no dist/main.js to weigh: build first')
  const rooms = readdirSync(join(root, 'src'), { withFileTypes: true }).filter(entry => entry.isDirectory())
  const tests = filesIn('test')
  return {
    ...Object.fromEntries(rooms.map(({ name }) => [`src/${name}`, weightOf(`src/${name}`)])),
    test: { files: tests.length, lines: tests.reduce((sum, file) => sum + textOf(file).split('\n').length - 1, 0) },
    dist: { 'kB of main.js': Math.ceil(statSync(bundle).size / 1000) },
  }
}

const budget = JSON.parse(readFileSync(budgetFile, 'utf8'))
const now = measured()
const over = Object.entries(now).flatMap(([place, figures]) =>
  Object.entries(figures).flatMap(([name, figure]) => {
    const allowed = budget[place]?.[name]
    return allowed === undefined || figure > allowed ? [`${place}: ${figure} ${name}, ${allowed ?? 0} allowed`] : []
  }),
)
if (process.argv.includes('--update')) {
  const reasons = Object.fromEntries(
    Object.entries(budget).flatMap(([place, { why }]) => (why && now[place] ? [[place, why]] : [])),
  )
  const updated = Object.entries(now).map(([place, figures]) => [
    place,
    { ...figures, ...(reasons[place] && { why: reasons[place] }) },
  ])
  writeFileSync(budgetFile, `${JSON.stringify(Object.fromEntries(updated), null, 2)}\n`)
} else if (over.length > 0) {
  console.error(`over the budget of ${relative(root, budgetFile)}:\n${over.join('\n')}`)
  console.error('make room, or raise the figure and say why beside it')
  process.exitCode = 1
} else console.log('every room is within its budget')
