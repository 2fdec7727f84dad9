// The software bill of materials of the package: what is bundled into it, in the form of CycloneDX 1.6.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import { packagesOf } from './licenses.js'

/**
 * `inputs` are the input paths of esbuild's metafiles. Versions and checksums of the packages are those of the lock file. There is no
 * time and no random number in it: the same sources give the same text.
 */
export async function sbomOf(inputs) {
  const { name, version, license } = await readJson('package.json')
  const { packages } = await readJson('package-lock.json')
  const bom = new Models.Bom()
  bom.metadata.component = componentOf({ name, version, license }, Enums.ComponentType.Application)
  const folders = packagesOf(inputs)
  for (const folder of folders) {
    const component = componentOf(await readJson(`${folder}/package.json`), Enums.ComponentType.Library)
    const { resolved, integrity } = packages[folder] ?? {}
    for (const [algorithm, content] of hashesOf(integrity)) component.hashes.set(algorithm, content)
    if (resolved?.startsWith('https://'))
      component.externalReferences.add(new Models.ExternalReference(resolved, Enums.ExternalReferenceType.Distribution))
    bom.components.add(component)
    bom.metadata.component.dependencies.add(component.bomRef)
  }
  for (const [folder, { version, optional, integrity }] of installedWith(packages)) {
    const component = componentOf(
      { ...(await readJson(`${folder}/package.json`)), version },
      Enums.ComponentType.Library,
    )
    if (optional) component.scope = Enums.ComponentScope.Optional
    for (const [algorithm, content] of hashesOf(integrity)) component.hashes.set(algorithm, content)
    bom.components.add(component)
    folders.push(folder)
  }
  bom.serialNumber = serialNumberOf(`${name} ${version} ${folders.join(' ')}`)
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`
}

/** A bill of materials with the runtime that a bundle for one platform contains, whose binary has this checksum. */
export function withRuntime(text, { version, platform, sha256 }) {
  const bom = JSON.parse(text)
  const ref = `node@${version}`
  const hashes = [{ alg: 'SHA-256', content: sha256 }]
  const runtime = {
    type: 'platform',
    name: 'node',
    version,
    'bom-ref': ref,
    purl: `pkg:generic/node@${version}`,
    hashes,
  }
  bom.components.unshift(runtime)
  bom.dependencies.unshift({ ref })
  bom.dependencies.find(({ ref }) => ref === bom.metadata.component['bom-ref']).dependsOn.unshift(ref)
  bom.serialNumber = serialNumberOf(`${bom.serialNumber} ${platform} ${sha256}`)
  return `${JSON.stringify(bom, null, 2)}\n`
}

/** The packages that are installed together with this one, as the lock file has them. */
export const installedWith = packages =>
  Object.entries(packages).filter(([folder, { dev, devOptional }]) => folder !== '' && !dev && !devOptional)

const readJson = async path => JSON.parse(await readFile(path, 'utf8'))

function componentOf({ name, version, license }, type) {
  const [scope, base] = name.startsWith('@') ? name.split('/') : [undefined, name]
  const component = new Models.Component(type, base, {
    ...(scope && { group: scope }),
    version,
    bomRef: `${name}@${version}`,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  })
  // Some packages name several licenses in one expression.
  const isExpression = / (OR|AND|WITH) /.test(license ?? '')
  if (isExpression) component.licenses.add(new Models.LicenseExpression(license))
  else if (license) component.licenses.add(new Models.SpdxLicense(license))
  return component
}

/** The checksums of an `integrity`, which is in base64, in hexadecimal digits. */
function hashesOf(integrity = '') {
  return integrity.split(' ').flatMap(one => {
    const [, algorithm, digest] = /^sha(\d+)-(.+)$/.exec(one) ?? []
    return algorithm ? [[`SHA-${algorithm}`, Buffer.from(digest, 'base64').toString('hex')]] : []
  })
}

/** A UUID that follows from a text. */
function serialNumberOf(text) {
  const digits = createHash('sha256').update(text).digest('hex')
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ]
  return `urn:uuid:${parts.join('-')}`
}
