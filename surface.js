// Copies the surface file, which the tests keep true, into the README's reference.
import { readFile, writeFile } from 'node:fs/promises'

const surface = await readFile('test/surface.txt', 'utf8')
const readme = await readFile('README.md', 'utf8')
await writeFile(
  'README.md',
  readme.replace(/(?<=## Reference\n[\s\S]*?```text\n)[\s\S]*?(?=```)/, () => surface),
)
