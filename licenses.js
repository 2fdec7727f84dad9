// The licences of the packages that a bundle is made of, as one text.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Takes the input paths of esbuild's metafiles; a package without a licence file is named with what its package.json says. */
export async function licencesOf(inputs) {
  const packages = new Set(inputs.flatMap(path => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/) ?? []))
  const texts = await Promise.all([...packages].toSorted().map(licenceOf))
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

async function licenceOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const file = (await readdir(folder)).find(entry => /^licen[cs]e/i.test(entry))
  const text = file === undefined ? '' : await readFile(join(folder, file), 'utf8')
  return `${name} ${version} (${license})\n\n${text}`
}
