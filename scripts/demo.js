// Makes src/service/demo/town.json, the data of the demo, of scripts/demo.yaml: one record a line, all references checked. An argument
// names another file to write.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

const town = parse(readFileSync(join(import.meta.dirname, 'demo.yaml'), 'utf8'))

for (const record of [...town.events, ...town.series]) {
  const references = {
    venues: [record.venue ?? []].flat(),
    organizers: record.organizers,
    categories: record.categories,
  }
  for (const [table, slugs] of Object.entries({ ...references, tags: record.tags ?? [] }))
    for (const slug of slugs)
      if (!Object.hasOwn(town[table], slug)) throw new Error(`${record.slug}: there is no "${slug}" among the ${table}`)
}

const lines = (values, open, close) => `${open}\n${values.map(value => `    ${value}`).join(',\n')}\n  ${close}`

const members = Object.entries(town).map(([name, records]) => {
  const text = Array.isArray(records)
    ? lines(
        records.map(record => JSON.stringify(record)),
        '[',
        ']',
      )
    : lines(
        Object.entries(records).map(([slug, record]) => `${JSON.stringify(slug)}: ${JSON.stringify(record)}`),
        '{',
        '}',
      )
  return `  ${JSON.stringify(name)}: ${text}`
})

const file = process.argv[2] ?? join(import.meta.dirname, '../src/service/demo/town.json')
writeFileSync(file, `{\n${members.join(',\n')}\n}\n`)
