import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import openapiTypes from 'openapi-typescript'
import { expect, onTestFinished, test } from 'vitest'
import { testService } from '../support/test-service.ts'

const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')

/** What the compiler says about a program that uses the types of the document, in strict mode. */
async function compile(program: string) {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { body } = await testService().ask('GET /doc')
  writeFileSync(join(folder, 'api.ts'), await openapiTypes(body))
  writeFileSync(join(folder, 'program.ts'), `import type { components } from './api.js'\n${program}`)
  const options = ['--strict', '--noEmit', '--target', 'es2023', '--module', 'nodenext', '--exactOptionalPropertyTypes']
  const { status, stdout } = spawnSync(process.execPath, [tsc, ...options, 'program.ts'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { status, stdout }
}

const schemas = `type Event = components['schemas']['Event']
type NewEvent = components['schemas']['NewEvent']
`

test('types that are made of the document compile, and the venue of an event is read after one check', async () => {
  const program = `${schemas}
export const place = ({ venue }: Event): string => (Array.isArray(venue) ? '' : venue.venue)
export const organizers = ({ organizer }: Event): string[] => organizer.map(each => each.organizer)
export const tags = ({ tags }: Event): string[] => tags.map(({ name }) => name)
export const picture = ({ image }: Event): string | null => (image ? image.url : null)
export const ball: NewEvent = { title: 'Ball', start_date: '2026-12-05', end_date: '2026-12-05', venue: { venue: 'Sala' } }
`
  expect(await compile(program)).toEqual({ status: 0, stdout: '' })
})

test('the types do not let a program read the venue of an event without a check', async () => {
  const { status, stdout } = await compile(`${schemas}export const place = ({ venue }: Event): string => venue.venue\n`)
  expect(status).not.toBe(0)
  expect(stdout).toContain("Property 'venue' does not exist on type")
})
