import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { undoLine } from '../support/world.ts'

for (const [noun, name] of [
  ['venues', 'venue'],
  ['organizers', 'organizer'],
] as const) {
  test(`${noun} can be created, read, listed, updated and deleted`, async () => {
    const calctl = calendar()
    expect(await calctl(`${noun} create --${name} "Casa Gran" --phone "+34 972 000 000" -o ids`)).toEqual({
      status: 0,
      out: '1\n',
      err: expect.stringMatching(undoLine(`Created ${name} "Casa Gran" (1)`)),
    })
    expect(await calctl(`${noun} get casa-gran -o ids`)).toEqual({ status: 0, out: '1\n', err: '' })
    expect(await calctl(`${noun} list --search gran -o ids`)).toEqual({ status: 0, out: '1\n', err: '' })
    const { out } = await calctl(
      `${noun} update 1 --website https://example.org/ --fields ${name},phone,website --json`,
    )
    expect(JSON.parse(out)).toEqual({ [name]: 'Casa Gran', phone: '+34 972 000 000', website: 'https://example.org/' })
    expect(await calctl(`${noun} delete 1 --yes -o ids`)).toEqual({
      status: 0,
      out: '1\n',
      err: expect.stringMatching(undoLine(`Moved to the trash: ${name} "Casa Gran" (1)`)),
    })
    expect(await calctl(`${noun} list -o count`)).toEqual({ status: 0, out: '0\n', err: '' })
  })

  test(`${noun} can be listed by event, with events, and with upcoming events`, async () => {
    const calctl = calendar()
    await calctl(`${noun} create --${name} One`)
    await calctl(`${noun} create --${name} Two`)
    await calctl(`events create --title Past --start-date 2026-01-01 --end-date 2026-01-01 --${name} 1`)
    expect(await calctl(`${noun} list --event 3 -o ids`)).toMatchObject({ out: '1\n' })
    expect(await calctl(`${noun} list --has-events -o ids`)).toMatchObject({ out: '1\n' })
    expect(await calctl(`${noun} list --no-has-events -o ids`)).toMatchObject({ out: '2\n' })
    expect(await calctl(`${noun} list --only-with-upcoming -o ids`)).toMatchObject({ out: '' })
  })
}

test('--show-map and --no-show-map set whether a venue shows a map', async () => {
  const calctl = calendar()
  const { out } = await calctl('venues create --venue Sala --no-show-map --fields show_map,show_map_link --json')
  expect(JSON.parse(out)).toEqual({ show_map: false, show_map_link: true })
})
