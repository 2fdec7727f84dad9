/** What is written in the editor without quotes is the text as it is written, as in options and in files. */
import { expect, test } from 'vitest'
import { calendarWithFiles } from '../support/calendar-with-files.ts'

const when = ['--start-date', '2026-12-05 19:00', '--end-date', '2026-12-05 21:00']
const texts = [
  '007',
  '1.10',
  '0x1F',
  '0o17',
  '08001',
  '0972111222',
  '+34',
  '1e3',
  '.5',
  '12.',
  '7',
  '1_000',
  '2026-12-05',
  '.inf',
]

test('a text without quotes is stored as it is written, by edit and by apply', async () => {
  const typed = { text: '' }
  const { calctl, file } = calendarWithFiles({
    editor: text => text.replace(/^(venue|zip|phone|address):.*$/gm, (_, name) => `${name}: ${typed.text}`),
  })
  await calctl('venues create --venue Sala')
  const stored = async () => JSON.parse((await calctl('venues get 1 --json')).out)
  for (const text of texts) {
    typed.text = text
    const { status, err } = await calctl('venues edit 1')
    expect([text, status], err).toEqual([text, 0])
    expect(await stored()).toMatchObject({ venue: text, zip: text, phone: text, address: text })
    const yaml = file('a.yaml', `id: 1\nresource: venues\nvenue: Sala\nzip: ${text}\naddress: x\nphone: ''\n`)
    expect(await calctl(`apply ${yaml} --yes`)).toMatchObject({ status: 0 })
    expect(await stored()).toMatchObject({ venue: 'Sala', zip: text })
  }
})

test('a price without quotes means the same as in an option', async () => {
  const typed = { text: '' }
  const { calctl } = calendarWithFiles({ editor: text => text.replace(/^cost:.*$/m, () => `cost: ${typed.text}`) })
  await calctl(['events', 'create', '--title', 'Ball', ...when, '--cost', '99'])
  for (typed.text of ['1.200', '1.250', '7.5', '12', '8.00']) {
    const edited = await calctl('events edit 1')
    const updated = await calctl(['events', 'update', '1', '--cost', typed.text])
    expect(updated.status, updated.err).toBe(edited.status)
    if (updated.status === 0) expect(updated.err).toContain('already')
    else expect(edited.err).toContain(/".+" can be read as .+/.exec(updated.err)?.[0])
  }
})

test.each(['Jazz # 3', '"Jazz" # 3'])(
  'a comment after a value may be a part of it: %s is refused with what to do',
  async value => {
    const { calctl } = calendarWithFiles({ editor: text => text.replace(/^title:.*$/m, () => `title: ${value}`) })
    await calctl(['events', 'create', '--title', 'Ball', ...when])
    const { status, err } = await calctl('events edit 1')
    expect([status, err]).toEqual([2, expect.stringMatching(/title: "# 3" is a comment.*quotes/s)])
  },
)
