// The licenses of the packages that a bundle contains, as one text.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** `inputs` are the input paths of esbuild's metafiles. A package without a license file is listed with its package.json's `license`. */
export async function licensesOf(inputs) {
  const texts = await Promise.all(packagesOf(inputs).map(licenseOf))
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

/** The folders of the packages that files belong to. */
export const packagesOf = inputs =>
  [...new Set(inputs.flatMap(path => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/) ?? []))].toSorted()

async function licenseOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const file = (await readdir(folder)).find(entry => /^licen[cs]e/i.test(entry))
  const text = file === undefined ? '' : await readFile(join(folder, file), 'utf8')
  return `${name} ${version} (${license})\n\n${text}`
}
