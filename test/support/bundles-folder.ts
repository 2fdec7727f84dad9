import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const variable = 'CALCTL_TEST_BUNDLES'

/** The folder in which the tests of a run share what they bundle. */
export function bundlesFolder(): string {
  const folder = process.env[variable]
  if (folder === undefined) throw new Error(`${variable} is not set`)
  return folder
}

/** Makes the folder before the tests, and removes it after them. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-bundles-'))
  process.env[variable] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
