import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { resources } from '../src/contract/contract.ts'
import type { Resource } from '../src/contract/resource.ts'
import { openEmbedded } from '../src/service/embedded.ts'
import { madeUpFields, madeUpValues } from './support/made-up-fields.ts'
import { testService } from './support/test-service.ts'
import { testTime, worldOf } from './support/world.ts'

// The program runs with a contract that has additional fields and filters; no other code is changed.
vi.mock('../src/contract/events.ts', async original => {
  const { withMadeUp } = await import('./support/made-up-fields.ts')
  return { events: withMadeUp((await original<typeof import('../src/contract/events.ts')>()).events) }
})
vi.mock('../src/contract/venues.ts', async original => {
  const { withMadeUp } = await import('./support/made-up-fields.ts')
  return { venues: withMadeUp((await original<typeof import('../src/contract/venues.ts')>()).venues) }
})
vi.mock('../src/contract/organizers.ts', async original => {
  const { withMadeUp } = await import('./support/made-up-fields.ts')
  return { organizers: withMadeUp((await original<typeof import('../src/contract/organizers.ts')>()).organizers) }
})
vi.mock('../src/contract/terms.ts', async original => {
  const { withMadeUp } = await import('./support/made-up-fields.ts')
  const { categories, tags } = await original<typeof import('../src/contract/terms.ts')>()
  return { categories: withMadeUp(categories), tags: withMadeUp(tags) }
})

const names = Object.keys(madeUpFields)
const [first, second] = [0, 1].map(turn =>
  Object.fromEntries(Object.entries(madeUpValues).map(([name, values]) => [name, values[turn]])),
)

/** The command line flags that set these values. */
const flags = (values: Readonly<Record<string, unknown>> = {}): string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'boolean'
      ? [`--${value ? '' : 'no-'}${flagOf(name)}`]
      : [`--${flagOf(name)}`, [value].flat().join(',')],
  )

const flagOf = (name: string) => name.replaceAll('_', '-')

const requiredOf: Readonly<Record<string, string>> = {
  title: 'Concert',
  start_date: '2026-12-05 19:00:00',
  end_date: '2026-12-05 21:00:00',
  venue: 'Sala',
  organizer: 'Cor',
  name: 'Jazz',
}

/** `calctl` in a temporary folder, with calendars as files. */
function folderWithCalctl() {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-law-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const calctl = worldOf({
    openCalendar: (place, onlyReads, notice) => openEmbedded(place, () => testTime, { onlyReads, notice }),
    cwd: folder,
    env: { HOME: folder },
  })
  /** Runs a command on a calendar file, and returns its output. */
  const on = async (file: string, ...args: string[]) => {
    const { status, out, err } = await calctl([...args, '--base-url', `file:${file}`])
    expect([status, err], args.join(' ')).toEqual([0, expect.any(String)])
    return out
  }
  return { folder, calctl, on }
}

const all = ({ name, trashable }: Resource) =>
  name === 'events' ? ['--all-dates'] : trashable ? [] : ['--no-hide-empty']

for (const resource of resources)
  test(`a new field in the contract works everywhere: ${resource.name}`, async () => {
    const { folder, calctl, on } = folderWithCalctl()
    const { name } = resource
    const required = flags(Object.fromEntries(resource.required.map(name => [name, requiredOf[name]])))
    const madeUpOf = async (file: string) => {
      const [record] = JSON.parse(await on(file, name, 'list', ...all(resource), '--json'))
      return Object.fromEntries(names.map(name => [name, record?.[name]]))
    }

    const created = JSON.parse(await on('a.json', name, 'create', ...required, ...flags(first), '--json'))
    expect(created).toMatchObject(first ?? {})
    const id = String(created.id)
    const updated = JSON.parse(await on('a.json', name, 'update', id, ...flags(second), '--json'))
    expect(updated).toMatchObject(second ?? {})
    expect(JSON.parse(await on('a.json', name, 'get', id, '--json'))).toMatchObject(second ?? {})
    expect(await madeUpOf('a.json')).toEqual(second)

    await on('a.json', 'undo', '--yes')
    expect(await madeUpOf('a.json')).toEqual(first)
    await on('a.json', 'redo', '--yes')
    expect(await madeUpOf('a.json')).toEqual(second)

    for (const [filter, found] of [
      ['--made-text=dos & més', `${id}\n`],
      ['--made-text=un', ''],
      ['--no-made-flag', `${id}\n`],
      ['--made-flag', ''],
      ['--made-number=-2', `${id}\n`],
      ['--made-number=1.5', ''],
    ] as const)
      expect(await on('a.json', name, 'list', ...all(resource), filter, '-o', 'ids'), filter).toBe(found)

    for (const format of ['ndjson', 'csv', 'json', 'yaml']) {
      const path = join(folder, `export.${format}`)
      writeFileSync(path, await on('a.json', 'export', name, '--format', format))
      await on(`${format}.json`, 'apply', path, '--resource', name, '--yes')
      expect(await madeUpOf(`${format}.json`), format).toEqual(second)
    }

    // Without its journal, the file counts as edited by somebody else, so all of it is validated.
    const text = readFileSync(join(folder, 'a.json'), 'utf8')
    writeFileSync(join(folder, 'copy.json'), text)
    expect(await madeUpOf('copy.json')).toEqual(second)
    writeFileSync(join(folder, 'edited.json'), text.replace('"made_integer":4', '"made_integer":-4'))
    expect(await calctl(`${name} list --base-url file:edited.json`)).toMatchObject({
      status: 3,
      err: expect.stringContaining(`${name}[0].made_integer: expected a whole number above 0`),
    })

    const cleared = JSON.parse(
      await on('a.json', name, 'update', id, '--clear', 'made_text,made_number,made_choices', '--json'),
    )
    expect([cleared.made_text ?? '', cleared.made_number ?? null]).toEqual(['', null])
  })

test('a new field in the contract is in the OpenAPI document', async () => {
  const { body } = await testService().ask('GET /doc')
  for (const { name, singular } of resources) {
    const schema = `${singular[0]?.toUpperCase()}${singular.slice(1)}`
    const { schemas } = body.components
    for (const made of names)
      for (const place of [schema, `New${schema}`, `${schema}Changes`])
        expect(schemas[place].properties[made], `${place}.${made}`).toMatchObject({ description: 'Made up' })
    const filters = body.paths[`/calendar/events/v1/${name}`].get.parameters.map(({ name }: { name: string }) => name)
    expect(filters).toEqual(expect.arrayContaining(['made_text', 'made_flag', 'made_number']))
  }
})

for (const { name, required } of resources)
  test(`a new field in the contract works in the production dialect: ${name}`, async () => {
    const { ask } = testService({ site: { quirks: true } })
    const json = { ...Object.fromEntries(required.map(name => [name, requiredOf[name]])), ...first }
    const { body: created } = await ask(`POST /${name}`, { json })
    expect(created).toMatchObject(first ?? {})
    await ask(`POST /${name}/${created.id}`, { json: second })
    expect((await ask(`GET /${name}/${created.id}`)).body).toMatchObject(second ?? {})
  })
