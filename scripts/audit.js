// Asks the registry whether there are advisories for the packages that are bundled: `npm audit` of somebody who installs calctl cannot
// see those. Ends with 1 if there are, and with 2 if nothing was checked, because the registry answers no such question.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const { components } = JSON.parse(readFileSync(join(root, 'dist/sbom.cdx.json'), 'utf8'))
const bundled = new Map(components.map(({ group, name, version }) => [group ? `${group}/${name}` : name, version]))
if (bundled.size === 0) throw new Error('dist/sbom.cdx.json names no package: build first')

const { stdout } = spawnSync('npm', ['audit', '--json'], { cwd: root, encoding: 'utf8' })
const vulnerabilities = vulnerabilitiesIn(stdout)
if (!vulnerabilities) {
  console.error(`not checked: the registry does not answer; ${bundled.size} packages are bundled`)
  process.exitCode = 2
} else {
  const found = Object.values(vulnerabilities).filter(({ name }) => bundled.has(name))
  for (const { name, severity, range } of found) console.error(`${name} ${bundled.get(name)}: ${severity} (${range})`)
  if (found.length === 0) console.log(`no advisories for the ${bundled.size} packages that are bundled`)
  else process.exitCode = 1
}

/** What npm found; undefined if it wrote no report. */
function vulnerabilitiesIn(text) {
  try {
    return JSON.parse(text).vulnerabilities
  } catch {
    return undefined
  }
}
