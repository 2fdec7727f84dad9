import { describe, expect, test } from 'vitest'
import { resources } from '../../src/contract/contract.ts'
import type { Answer, Resource } from '../../src/contract/resource.ts'
import { calendar } from '../support/calendar.ts'

/** The values of a record with every field set, and the value to which each field is changed alone. */
const typed: Record<string, Record<string, [first: string, second: string]>> = {
  events: {
    title: ['Jazz & Blues', 'Soul & Funk'],
    start_date: ['2026-12-05 19:00', '2026-12-05 18:00'],
    end_date: ['2026-12-05 21:00', '2026-12-05 22:30'],
    author: ['1', '1'],
    date: ['2026-11-01 09:00', '2026-11-02 10:00'],
    date_utc: ['2026-11-01 09:00', '2026-11-03 10:00'],
    description: ['A long night', 'A short night'],
    slug: ['jazz-night', 'soul-night'],
    excerpt: ['Come', 'Stay'],
    status: ['draft', 'private'],
    timezone: ['America/New_York', 'Europe/Paris'],
    all_day: ['', ''],
    image: ['1', '2'],
    cost: ['15 €', '20 €'],
    website: ['https://example.org/?a=1&b=2', 'https://example.org/other'],
    show_map: ['', 'no'],
    show_map_link: ['', 'no'],
    hide_from_listings: ['', 'no'],
    sticky: ['', 'no'],
    featured: ['', 'no'],
    categories: ['1', '2'],
    tags: ['3', '4'],
    venue: ['3', '4'],
    organizer: ['5,6', '6'],
    event_status: ['canceled', 'postponed'],
    event_status_reason: ['Rain', 'Rain & wind'],
    cost_description: ['Members: half', 'Members & children: half'],
    date_time_separator: [' @ ', ' | '],
    time_range_separator: [' - ', ' to '],
  },
  venues: {
    venue: ['Sala Gran', 'Sala Major'],
    author: ['1', '1'],
    date: ['2026-11-01 09:00', '2026-11-02 10:00'],
    date_utc: ['2026-11-01 09:00', '2026-11-03 10:00'],
    description: ['A hall', 'A big hall'],
    status: ['draft', 'private'],
    show_map: ['no', ''],
    show_map_link: ['no', ''],
    address: ['Carrer Nou, 1', 'Carrer Nou, 2'],
    city: ['Girona', 'Olot'],
    country: ['Spain', 'France'],
    province: ['Girona', 'Barcelona'],
    state: ['GI', 'BA'],
    zip: ['08001', '08002'],
    phone: ['+34 972 000 000', '+34 972 000 001'],
    stateprovince: ['Girona', 'Catalunya'],
    website: ['https://example.org/', 'https://example.org/sala'],
    image: ['1', '2'],
  },
  organizers: {
    organizer: ['Ajuntament', 'Consell'],
    author: ['1', '1'],
    date: ['2026-11-01 09:00', '2026-11-02 10:00'],
    date_utc: ['2026-11-01 09:00', '2026-11-03 10:00'],
    description: ['The town', 'The county'],
    status: ['draft', 'private'],
    phone: ['+34 972 000 000', '+34 972 000 001'],
    website: ['https://example.org/', 'https://example.org/town'],
    email: ['a@example.org', 'b@example.org'],
    image: ['1', '2'],
  },
  categories: {
    name: ['Rock', 'Pop'],
    description: ['Loud', 'Soft'],
    slug: ['rock', 'pop'],
    parent: ['1', '2'],
  },
  tags: { name: ['Late', 'Early'], description: ['After ten', 'Before ten'], slug: ['late', 'early'] },
}

/** A printed record, without what a site adds only where a record is read. */
const recordIn = (json: string): Answer =>
  JSON.parse(json, (key, value) => (key === 'json_ld' ? undefined : value)) as Answer

/** Fields that follow from another field. `modified` follows from all of them. */
const following: Record<string, string[]> = {
  start_date: ['start_date_details', 'utc_start_date', 'utc_start_date_details'],
  end_date: ['end_date_details', 'utc_end_date', 'utc_end_date_details'],
  timezone: ['timezone_abbr', 'utc_start_date', 'utc_start_date_details', 'utc_end_date', 'utc_end_date_details'],
  all_day: [
    ...['start_date', 'start_date_details', 'utc_start_date', 'utc_start_date_details'],
    ...['end_date', 'end_date_details', 'utc_end_date', 'utc_end_date_details'],
  ],
  // Terms count published events.
  status: ['slug', 'url', 'date', 'date_utc', 'website', 'categories', 'tags'],
  date: ['date_utc'],
  date_utc: ['date'],
  slug: ['url', 'urls', '_links', 'website'],
  cost: ['cost_details'],
  parent: ['url', 'urls', '_links'],
  state: ['stateprovince'],
  province: ['stateprovince'],
}

const always = ['modified', 'modified_utc', 'json_ld']

/** The option that sets a field to a value; a boolean is set by its flag. */
const option = (resource: Resource, name: string, value: string): string[] => {
  const flag = name.replaceAll('_', '-')
  if (resource.fields[name]?.kind.shape === 'flag') return [value === 'no' ? `--no-${flag}` : `--${flag}`]
  return [`--${flag}`, value]
}

/** A calendar with two images, and two records of each resource that events link to. */
async function linkable(quirks: boolean) {
  const images = [1, 2].map(id => ({ id, url: `https://example.org/poster-${id}.png` }))
  const calctl = calendar({ quirks, timezone: 'Europe/Madrid', images })
  for (const name of ['One', 'Two']) await calctl(`venues create --venue ${name}`)
  for (const name of ['One', 'Two']) await calctl(`organizers create --organizer ${name}`)
  for (const name of ['One', 'Two']) await calctl(`categories create --name ${name}`)
  for (const name of ['Three', 'Four']) await calctl(`tags create --name ${name}`)
  return calctl
}

for (const [quirks, from, to] of [
  [false, 'draft', 'private'],
  [true, 'draft', 'private'],
  [false, 'publish', 'draft'],
  [true, 'publish', 'pending'],
] as const)
  describe(`${quirks ? 'with --quirks' : 'as documented'}, from ${from}`, () => {
    for (const resource of resources)
      test(`${resource.name}: each field changes alone`, async () => {
        const values = { ...typed[resource.name] }
        if (values.status) values.status = [from, to]
        const settable = Object.entries(resource.fields).filter(
          ([, field]) => !field.queryOnly && field.site?.onlyBy !== 'patch',
        )
        const kept = ([name]: [string, unknown]) => !(quirks && resource.fields[name]?.site?.apart)
        expect(Object.keys(values).toSorted()).toEqual(settable.map(([name]) => name).toSorted())

        const calctl = await linkable(quirks)
        const first = Object.entries(values).filter(([name, value]) => name !== 'all_day' && kept([name, value]))
        const created = await calctl([
          resource.name,
          'create',
          ...first.flatMap(([name, [value]]) => option(resource, name, value)),
          '-q',
          '--json',
        ])
        expect(created).toMatchObject({ status: 0, err: '' })
        let before = recordIn(created.out)
        const id = String(before.id)
        for (const [name, [initial, second]] of Object.entries(values).filter(kept)) {
          const updated = await calctl([resource.name, 'update', id, ...option(resource, name, second), '-q', '--json'])
          expect(updated, `${name}: ${updated.err}`).toMatchObject({ status: 0, err: '' })
          const after = recordIn(updated.out)
          const differing = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
            key => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
          )
          const allowed = [name, ...(following[name] ?? []), ...always]
          expect(
            differing.filter(key => !allowed.includes(key)),
            `beside ${name}`,
          ).toEqual([])
          const floats = quirks && from === 'draft' && resource.fields[name]?.site?.floats
          if (initial !== second && name !== 'date_utc' && !floats) expect(differing, `${name} itself`).toContain(name)
          before = after
        }
      })
  })
