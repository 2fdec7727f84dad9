import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { resourceNamed, resources } from '../../src/contract/contract.ts'
import type { Field, ResourceName } from '../../src/contract/field.ts'
import type { Resource } from '../../src/contract/resource.ts'
import { CalendarError, createCalendarClient, startCalendar } from '../support/libraries.ts'

const root = resolve(import.meta.dirname, '../..')

/** Forms that a value may have; those of a link name the first record of its resource. */
function formsOf(field: Field, ids: ReadonlyMap<string, number>): unknown[] {
  const { of, kind, choices, example = kind.example } = field
  const [name, id] = of === undefined ? [choices?.[0] ?? example, 1] : ['Casal', ids.get(of)]
  const one = [name, id, true, { id }, { [resourceNamed(of ?? 'events').title]: 'Casal nou' }]
  return [...one, ...one.map(value => [value]), [name, id], [], {}, null]
}

const typesIn = (value: unknown): string => JSON.stringify([value].flat().map(one => typeof one))

/** Whether a value is read as one of another type: `'7'` as 7. The types do not offer such forms. */
const isConverted = (field: Field, value: unknown): boolean =>
  value !== null && typesIn(field.kind.read(value, field)) !== typesIn(value) && !(field.asText && value === 'true')

/** A calendar with two records of each resource: the IDs of the first, and a function that says whether the client takes changes of the other. */
async function calendar(quirks: boolean) {
  const records = Object.fromEntries(
    resources.map(({ name, title }) => [
      name,
      ['Casal', 'Altre'].map(text => ({ ...(name === 'events' && times), [title]: text })),
    ]),
  )
  const served = await startCalendar({ quirks, records, users: [ada] })
  onTestFinished(() => served.close())
  const client = createCalendarClient({ url: served.url, fetch: served.fetch, user: ada.name, password: ada.password })
  const [ids, others] = [new Map<string, number>(), new Map<string, number>()]
  for (const { name, title } of resources)
    for await (const record of client[name].list()) (record[title] === 'Casal' ? ids : others).set(name, record.id)
  const start = await served.snapshot()
  const takes = async ({ name }: Resource, changes: Record<string, unknown>): Promise<boolean> => {
    try {
      await client[name].update(others.get(name) ?? 0, changes)
      await served.restore(start)
      return true
    } catch (error) {
      if (error instanceof CalendarError) return false
      throw error
    }
  }
  const finds = (name: ResourceName, ref: number | string): Promise<boolean> =>
    client[name].get(ref).then(
      () => true,
      () => false,
    )
  return { ids, takes, finds }
}

const ada = { name: 'ada', password: 'sesame' }
const times = { start_date: '2020-12-05 20:00:00', end_date: '2030-12-05 22:00:00' }

/** What strict TypeScript says of a file of a project in which this package is installed. */
function compiled(lines: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-types-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "imports": { "#client": "./client.mjs" } }')
  writeFileSync(join(folder, 'forms.ts'), lines.join('\n'))
  const options = { strict: true, noEmit: true, module: 'NodeNext', target: 'ES2023', types: ['node'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['forms.ts'] }))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  return spawnSync(process.execPath, [tsc, '--project', folder], { cwd: folder, encoding: 'utf8' }).stdout
}

const changesOf = ({ singular }: Resource) => `${singular[0]?.toUpperCase()}${singular.slice(1)}Changes`

test('the types of changes take what the client takes on some site, for all fields and forms of values', async () => {
  const [documented, production] = [await calendar(false), await calendar(true)]
  const lines = [
    `import type { CalendarClient, ${resources.map(changesOf).join(', ')} } from '${join(root, 'dist/client.mjs')}'`,
    'declare const client: CalendarClient',
    'declare function check<T>(value: T): void',
  ]
  for (const resource of resources)
    for (const [name, field] of Object.entries(resource.fields).filter(([, { queryOnly }]) => !queryOnly))
      for (const value of formsOf(field, documented.ids)) {
        const change = { [name]: value }
        const isTaken =
          !isConverted(field, value) &&
          ((await documented.takes(resource, change)) || (await production.takes(resource, change)))
        // Whether a field can be emptied is for the site to say.
        if (!isTaken && value === null) continue
        if (!isTaken) lines.push('// @ts-expect-error')
        lines.push(`check<${changesOf(resource)}>(${JSON.stringify(change)})`)
      }
  for (const { name } of resources)
    for (const ref of [documented.ids.get(name), 'casal']) {
      if (!(await documented.finds(name, ref ?? 0))) lines.push('// @ts-expect-error')
      lines.push(`client.${name}.get(${JSON.stringify(ref)})`)
    }
  expect(lines.length).toBeGreaterThan(800)
  const wrong = compiled(lines).matchAll(/forms\.ts\((\d+),\d+\): error (TS\d+)/g)
  expect(
    [...wrong].map(([, line, code]) => `${code} ${lines.slice(Number(line) - 1, Number(line) + 1).join(' ')}`),
  ).toEqual([])
})

const links = ['venue', 'organizer', 'categories', 'tags'] as const

test.each([false, true])('each form of a link is taken in a new event (on a site: %s)', async quirks => {
  const served = await startCalendar({
    quirks,
    records: { categories: [{ name: 'Casal' }], tags: [{ name: 'Casal' }] },
  })
  onTestFinished(() => served.close())
  const client = createCalendarClient({ url: served.url, fetch: served.fetch })
  const venue = await client.venues.create({ venue: 'Casal' })
  const organizer = await client.organizers.create({ organizer: 'Casal' })
  const forms = {
    venue: [venue.id, 'Casal', { id: venue.id }, venue, { venue: 'Nou' }],
    organizer: [organizer.id, 'casal', { id: organizer.id }, organizer, { organizer: 'Nou' }],
    categories: ['Casal', 'casal'],
    tags: ['Casal', 'casal'],
  }
  for (const name of links)
    for (const [index, value] of forms[name].flatMap((form: unknown) => [form, [form]]).entries()) {
      const { [name]: linked } = await client.events.create({ ...times, title: `Ball ${name} ${index}`, [name]: value })
      expect([name, value, linked]).toMatchObject([
        name,
        value,
        name === 'venue' ? { venue: expect.any(String) } : [{}],
      ])
    }
})

test('the records of startCalendar link to one another by name', async () => {
  const events = [{ ...times, title: 'Ball', venue: 'Nou lloc', organizer: 'colla', categories: 'Jazz' }]
  const places = {
    venues: [{ venue: 'Nou lloc' }],
    organizers: [{ organizer: 'Colla' }],
    categories: [{ name: 'Jazz' }],
  }
  const served = await startCalendar({ records: { ...places, events } })
  onTestFinished(() => served.close())
  const client = createCalendarClient({ url: served.url, fetch: served.fetch })
  expect(await client.events.get('ball')).toMatchObject({
    venue: { venue: 'Nou lloc' },
    organizer: [{ organizer: 'Colla' }],
    categories: [{ name: 'Jazz' }],
  })
})
