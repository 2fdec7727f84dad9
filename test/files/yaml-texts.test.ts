/** What is written in a YAML file without quotes is the text as it is written. */
import { expect, test } from 'vitest'
import { calendarWithFiles } from '../support/calendar-with-files.ts'

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

test('a text without quotes is stored as it is written', async () => {
  const { calctl, file } = calendarWithFiles()
  await calctl('venues create --venue Sala')
  for (const text of texts) {
    const yaml = file('a.yaml', `id: 1\nresource: venues\nvenue: Sala\nzip: ${text}\naddress: x\nphone: ''\n`)
    expect(await calctl(`apply ${yaml} --yes`)).toMatchObject({ status: 0 })
    expect(JSON.parse((await calctl('venues get 1 --json')).out)).toMatchObject({ venue: 'Sala', zip: text })
  }
})
