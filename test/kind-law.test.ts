import { expect, test, vi } from 'vitest'
import { calendarWithFiles } from './calendar-with-files.ts'
import { testService } from './test-service.ts'

// The program runs with a field of a kind that only this test knows; no other code is changed.
vi.mock('../src/contract/events.ts', async original => {
  const { withColor } = await import('./made-up-kinds.ts')
  return { events: withColor((await original<typeof import('../src/contract/events.ts')>()).events) }
})

const jazz = '--title Jazz --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"'

for (const quirks of [false, true])
  test(`a new kind works everywhere, quirks: ${quirks}`, async () => {
    const { calctl, file } = calendarWithFiles({ quirks })
    const shown = async () => JSON.parse((await calctl('events get 1 --json')).out).made_color
    const ids = async (options: string) => (await calctl(`events list --all-dates ${options} -o ids`)).out

    const created = await calctl(`events create ${jazz} --made-color red --json`)
    expect([created.status, created.err]).toEqual([0, expect.not.stringContaining('made_color')])
    expect(await shown()).toBe('#FF0000')
    expect(await calctl('events update 1 --made-color "#0000ff"')).toMatchObject({ status: 0 })
    expect(await shown()).toBe('#0000FF')
    expect(await calctl('events update 1 --made-color plaid')).toMatchObject({
      status: 2,
      err: 'error: --made-color: expected a color, got "plaid"\nhint: for example: --made-color red\n',
    })

    expect(await ids('--made-color blue')).toBe('1\n')
    expect(await ids('--made-color red')).toBe('')
    expect(await ids('--where made_color=#0000FF')).toBe('1\n')
    expect((await calctl('events list --all-dates --fields made_color -o csv')).out).toBe('made_color\n#0000FF\n')

    const exported: Record<string, string> = {}
    for (const format of ['ndjson', 'csv', 'json', 'yaml'])
      exported[format] = (await calctl(`export events --format ${format}`)).out
    for (const [format, text] of Object.entries(exported)) {
      const path = file(`export.${format}`, text)
      expect(await calctl(`apply ${path} --resource events --dry-run`), format).toMatchObject({
        out: expect.not.stringContaining('made color'),
      })
      await calctl('events update 1 --made-color green')
      const other = calendarWithFiles({ quirks })
      expect(await other.calctl(`apply ${other.file(`export.${format}`, text)} --resource events --yes`)).toMatchObject(
        { status: 0 },
      )
      expect(JSON.parse((await other.calctl('events list --all-dates --json')).out)[0].made_color, format).toBe(
        '#0000FF',
      )
      expect(await calctl(`apply ${path} --resource events --yes`), format).toMatchObject({ status: 0 })
      expect(await shown(), format).toBe('#0000FF')
      await calctl('undo --yes')
      expect(await shown(), format).toBe('#00FF00')
      await calctl('undo --yes')
      expect(await shown(), format).toBe('#0000FF')
    }

    await calctl('events update 1 --clear made_color')
    expect((await shown()) ?? '').toBe('')
    await calctl('undo --yes')
    expect(await shown()).toBe('#0000FF')
    expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  })

test('a new kind is in the OpenAPI document', async () => {
  const { body } = await testService().ask('GET /doc')
  const { schemas } = body.components
  for (const name of ['Event', 'NewEvent', 'EventChanges'])
    expect(JSON.stringify(schemas[name].properties.made_color), name).toContain('"format":"color"')
})
