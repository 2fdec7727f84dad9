import { expect, test, vi } from 'vitest'
import { calendarWithFiles } from './support/calendar-with-files.ts'
import { testService } from './support/test-service.ts'

// The program runs with fields of kinds that only this test knows; no other code is changed.
vi.mock('../src/contract/events.ts', async original => {
  const { withKinds } = await import('./support/made-up-kinds.ts')
  return { events: withKinds((await original<typeof import('../src/contract/events.ts')>()).events) }
})

const jazz = '--title Jazz --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"'

/** A value as it is typed, and as answers, sheets and plans show it. */
interface Value {
  readonly typed: string
  readonly shown: unknown
  readonly cell: string
  readonly described: string
}

interface MadeUp {
  readonly field: string
  readonly values: readonly [Value, Value, Value]
  readonly refusal: string
  readonly quirks: boolean
}

const kinds: readonly MadeUp[] = [
  {
    field: 'made_color',
    values: [
      { typed: 'red', shown: '#FF0000', cell: '#FF0000', described: '"#FF0000"' },
      { typed: '#0000ff', shown: '#0000FF', cell: '#0000FF', described: '"#0000FF"' },
      { typed: 'green', shown: '#00FF00', cell: '#00FF00', described: '"#00FF00"' },
    ],
    refusal: 'error: --made-color: expected a color, got "plaid"\nhint: for example: --made-color red\n',
    quirks: false,
  },
  {
    field: 'made_size',
    values: [
      { typed: '40x30', shown: { width: 40, height: 30 }, cell: '40x30', described: '40x30' },
      { typed: '8x6', shown: { width: 8, height: 6 }, cell: '8x6', described: '8x6' },
      { typed: '1x1', shown: { width: 1, height: 1 }, cell: '1x1', described: '1x1' },
    ],
    refusal: 'error: --made-size: expected a size, got "plaid"\nhint: for example: --made-size 40x30\n',
    quirks: true,
  },
]

// No kind asks which dialect a calendar has: each is tried with one.
for (const { field, values, refusal, quirks } of kinds)
  test(`a new kind works everywhere: ${field}`, async () => {
    const [first, second, third] = values
    const option = `--${field.replace('_', '-')}`
    const { calctl, file } = calendarWithFiles({ quirks })
    const shown = async () => JSON.parse((await calctl('events get 1 --json')).out)[field]

    const created = await calctl(`events create ${jazz} ${option} ${first.typed} --json`)
    expect([created.status, created.err]).toEqual([0, expect.not.stringContaining(field)])
    expect(await shown()).toEqual(first.shown)
    expect(await calctl(`events update 1 ${option} "${second.typed}" --dry-run`)).toMatchObject({
      out: expect.stringContaining(`${field.replace('_', ' ')} ${first.described} → ${second.described.toLowerCase()}`),
    })
    expect(await calctl(`events update 1 ${option} "${second.typed}"`)).toMatchObject({ status: 0 })
    expect(await shown()).toEqual(second.shown)
    expect(await calctl(`events update 1 ${option} plaid`)).toMatchObject({ status: 2, err: refusal })
    expect((await calctl(`events list --all-dates --where ${field}=none -o ids`)).out).toBe('')

    for (const format of ['ndjson', 'csv', 'json', 'yaml']) {
      const path = file(`export.${format}`, (await calctl(`export events --format ${format}`)).out)
      expect(await calctl(`apply ${path} --resource events --dry-run`), format).toMatchObject({
        out: expect.not.stringContaining(field.replace('_', ' ')),
      })
      await calctl(`events update 1 ${option} ${third.typed}`)
      const other = calendarWithFiles({ quirks })
      expect(await other.calctl(`apply ${path} --resource events --yes`), format).toMatchObject({ status: 0 })
      const [copy] = JSON.parse((await other.calctl('events list --all-dates --json')).out)
      expect(copy[field], format).toEqual(second.shown)
      expect(await calctl(`apply ${path} --resource events --yes`), format).toMatchObject({ status: 0 })
      expect(await shown(), format).toEqual(second.shown)
      await calctl('undo --yes')
      expect(await shown(), format).toEqual(third.shown)
      await calctl('undo --yes')
      expect(await shown(), format).toEqual(second.shown)
    }
    expect((await calctl('export events --format csv')).out).toContain(second.cell)

    await calctl(`events update 1 --clear ${field}`)
    expect((await shown()) ?? '').toBe('')
    await calctl('undo --yes')
    expect(await shown()).toEqual(second.shown)
    expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  })

test('a filter and a condition of a new kind select records', async () => {
  const { calctl } = calendarWithFiles()
  await calctl(`events create ${jazz} --made-color blue`)
  const ids = async (options: string) => (await calctl(`events list --all-dates ${options} -o ids`)).out
  expect(await ids('--made-color "#0000FF"')).toBe('1\n')
  expect(await ids('--made-color red')).toBe('')
  expect(await ids('--where made_color=#0000ff')).toBe('1\n')
  expect((await calctl('events list --all-dates --fields made_color -o csv')).out).toBe('made_color\n#0000FF\n')
})

test('a new kind is in the OpenAPI document', async () => {
  const { body } = await testService().ask('GET /doc')
  const { schemas } = body.components
  for (const name of ['Event', 'NewEvent', 'EventChanges'])
    for (const kind of ['color', 'size'])
      expect(JSON.stringify(schemas[name].properties[`made_${kind}`]), name).toContain(`"format":"${kind}"`)
})
