import { expect, test } from 'vitest'
import { multilingualSite } from '../translations/multilingual-site.ts'

const event = (lang: string, title: string, description: string) =>
  `events create --lang ${lang} --title "${title}" --slug concert --start-date "2036-12-05 19:00" --duration 2h --description "${description}"`

test('lint needs no word about languages from a site: neither a header, nor in its records', async () => {
  const { calctl, plain } = await multilingualSite({ tells: false, obeys: true })
  await calctl('venues create --lang ca --venue Sala --slug sala --city Girona --address "Nou, 1"')
  await calctl('venues create --lang es --venue Salón --slug sala --city Girona --address "Nou, 1"')
  await calctl(`${event('ca', 'Concert', 'Nadales a quatre veus amb la coral del poble i els seus amics')} --venue 1`)
  await calctl(`${event('es', 'Concierto', 'Villancicos a cuatro voces con la coral y los suyos')} --venue 2`)
  expect(await calctl('lint --lang all')).toMatchObject({
    status: 0,
    out: '',
    err: 'no problems found in 2 events and 2 venues\n',
  })
  expect(await plain('lint --lang all')).toMatchObject({ status: 0, out: '' })
  // A command to type is about the language that was asked for.
  expect((await calctl('lint events --lang es --severity info --only missing-image')).out).toContain(
    '    calctl events update 4 --image FILE --lang es -p site\n',
  )
  await calctl('events update 4 --lang es --start-date "2036-12-05 18:00" --end-date "2036-12-05 20:00"')
  await calctl(
    'events update 4 --lang es --description "Nadales a quatre veus amb la coral del poble i els seus amics de sempre"',
  )
  expect((await calctl('lint --lang all --only translations-differ')).out).toContain(
    'differs from the event 3 (ca) in start date',
  )
  expect((await calctl('lint --lang es')).out).toContain('has a description in Catalan, and is in Spanish')
})
