// `npm run bench -- NAME` runs one benchmark; without a name it lists them.
import { readdir } from 'node:fs/promises'

const names = (await readdir(import.meta.dirname))
  .filter(file => file.endsWith('.js') && !['run.js', 'serving.js'].includes(file))
  .map(file => file.slice(0, -3))
const [name, ...rest] = process.argv.slice(2)
if (!names.includes(name)) {
  console.error(`usage: npm run bench -- <${names.join('|')}>`)
  process.exit(2)
}
const { default: bench } = await import(`./${name}.js`)
await bench(rest)
