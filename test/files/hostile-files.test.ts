import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { hostileCsv, hostileIcs, hostileJson, hostileYaml } from '../soak/hostile-values.ts'
import { told } from '../soak/told.ts'
import { calendar } from '../support/calendar.ts'

const folder = mkdtempSync(join(tmpdir(), 'calctl-hostile-files-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A record file, a plan, or a configuration with a hostile text in it. */
const asPlan = (json: string) =>
  `{"calctl":1,"id":"x","calendar":{"id":"demo:","label":"demo"},"made":"2026-11-21T02:00:00Z","steps":[\n` +
  `{"key":"1","action":"create","resource":"tags","values":{"name":"Jazz","description":${json}}}\n]}\n`

const files = [
  ...Object.entries(hostileJson).flatMap(([name, json]) => [
    [`${name}.json`, json],
    [`${name}-value.json`, `[{"title":"Concert","start_date":"2026-12-05","end_date":"2026-12-05","venue":${json}}]`],
    [`${name}-unknown.json`, `[{"name":"Jazz","resource":"tags","more":${json}}]`],
    [`${name}.ndjson`, `{"name":"Jazz","resource":"tags","description":${json}}\n`],
    [`${name}-plan.json`, asPlan(json)],
    [`${name}-head-plan.json`, asPlan('""').replace('"made"', `"x":${json},"made"`)],
    [`${name}-wide-plan.json`, JSON.stringify({ calctl: 1 }).replace('}', `,"id":"x","calendar":${json},"steps":[]}`)],
  ]),
  ...Object.entries(hostileYaml).map(([name, yaml]) => [`${name}.yaml`, yaml]),
  ...Object.entries(hostileCsv).map(([name, csv]) => [`${name}.csv`, csv]),
  ...Object.entries(hostileIcs).map(([name, ics]) => [`${name}.ics`, ics]),
] as [string, string][]

test.each(files)('%s is applied, compared or refused with a sentence', { timeout: 60_000 }, async (name, text) => {
  writeFileSync(join(folder, name), text)
  const run = calendar({ env: { XDG_STATE_HOME: join(folder, 'state') } })
  for (const line of [`diff --exit-code ${folder}/${name} --json`, `apply ${folder}/${name} --yes --skip-invalid`]) {
    const { status, err } = await run(line)
    expect(told).toContain(status)
    if (status > 1) expect(err).toMatch(/error: |"error":/)
  }
})

test.each(Object.entries(hostileJson))(
  '%s as --data, as a field and as configuration gets a sentence',
  async (name, json) => {
    const run = calendar({ env: { XDG_STATE_HOME: join(folder, 'state') } })
    writeFileSync(join(folder, 'data.json'), json)
    for (const words of [
      ['tags', 'create', '--data', `@${folder}/data.json`],
      ['events', 'create', '--title', 'a', '--start-date', '2026-12-05', '--end-date', '2026-12-05', '--venue', json],
      ['events', 'create', '--data', `{"title":"a","start_date":"2026-12-05","end_date":"2026-12-05","cost":${json}}`],
      ['events', 'delete', '-', '--yes'],
    ]) {
      const { status, err } = await run(words, json)
      expect(told).toContain(status)
      if (status > 1) expect(err).toMatch(/error: /)
    }
    const config = join(folder, `config-${name}`)
    mkdirSync(join(config, 'calctl'), { recursive: true })
    writeFileSync(join(config, 'calctl', 'config.json'), json)
    writeFileSync(join(config, '.calctl.json'), json)
    const configured = calendar({ env: { XDG_CONFIG_HOME: config, XDG_STATE_HOME: join(folder, 'state') } })
    for (const line of [
      'profiles list --json',
      'profiles show __proto__',
      'tags list -p constructor',
      'profiles add __proto__ --base-url http://x.test',
    ]) {
      const { status } = await configured(line)
      expect(told).toContain(status)
    }
  },
)
