import { afterEach, describe, expect, test } from 'vitest'
import { readTyped } from '../../src/base/time/typed-dates.ts'
import { useDateOrderOf } from '../../src/base/time/typed-order.ts'
import { calendar } from '../support/calendar.ts'

// Saturday 21 November 2026, noon in Madrid.
const now = new Date('2026-11-21T11:00:00Z')

const read = (text: string, day?: string) => {
  const typed = readTyped(text, 'Europe/Madrid', now, day)
  if (!typed.ok) return undefined
  return typed.dayOnly ? typed.wall.slice(0, 10) : typed.wall.slice(0, 16)
}

describe('days as people say them', () => {
  test.each([
    ['5/12', '2026-12-05'],
    ['5/12/26', '2026-12-05'],
    ['05/12/2026', '2026-12-05'],
    ['5.12', '2026-12-05'],
    ['5-12', '2026-12-05'],
    ['5 des', '2026-12-05'],
    ['5 dic', '2026-12-05'],
    ['3/2', '2027-02-03'],
    ['3 de febrer', '2027-02-03'],
    ['20/11', '2027-11-20'],
    ['el segon dissabte de desembre', '2026-12-12'],
    ['segundo sábado de diciembre', '2026-12-12'],
    ['the second saturday of december', '2026-12-12'],
    ['primer diumenge de gener', '2027-01-03'],
    ['primer domingo de enero', '2027-01-03'],
    ["l'últim divendres de maig", '2027-05-28'],
    ['último viernes de mayo de 2027', '2027-05-28'],
    ['last friday of may', '2027-05-28'],
    ['tercer dijous de novembre', '2027-11-18'],
    ['demà passat', '2026-11-23'],
    ['pasado mañana', '2026-11-23'],
    ["d'aquí a 10 dies", '2026-12-01'],
    ['dentro de 10 días', '2026-12-01'],
    ['dissabte vinent', '2026-11-28'],
    ['sábado que viene', '2026-11-28'],
    ['diumenge', '2026-11-22'],
  ])('%s is %s', (text, day) => {
    expect(read(text)).toBe(day)
  })

  test.each([
    'dissabte',
    '31/2',
    '0/5',
    '13/13',
    'sisè dissabte de desembre',
    'cinquè dissabte de febrer',
    'algun dia',
    '5/',
  ])('%s is not guessed', text => {
    expect(read(text)).toBeUndefined()
  })
})

test.each(['mañana por la tarde', '5 de desembre, tarda', 'tomorrow evening', 'aquest vespre'])(
  '%s has no hour, and none is chosen for it',
  text => {
    expect(readTyped(text, 'Europe/Madrid', now)).toMatchObject({
      message: `expected an hour as well, got "${text}"`,
    })
  },
)

describe('hours as people say them', () => {
  test.each([
    ['a les 8 del vespre', '20:00'],
    ['a las 8 de la tarde', '20:00'],
    ['8 in the evening', '20:00'],
    ['les vuit del vespre', '20:00'],
    ['las ocho de la tarde', '20:00'],
    ['a les 8 del matí', '08:00'],
    ['8 de la mañana', '08:00'],
    ['11 de la nit', '23:00'],
    ['12 del migdia', '12:00'],
    ['1 del migdia', '13:00'],
    ['les 5 de la tarda', '17:00'],
    ['dos quarts de nou del vespre', '20:30'],
    ['un quart de nou del matí', '08:15'],
    ['tres quarts de set de la tarda', '18:45'],
    ['a las ocho y media de la tarde', '20:30'],
    ['las siete y cuarto de la tarde', '19:15'],
    ['las nueve menos cuarto de la noche', '20:45'],
    ['les vuit i mitja del vespre', '20:30'],
    ['8.30 del vespre', '20:30'],
    ['20h', '20:00'],
    ['20.30 h', '20:30'],
    ['20.10', '20:10'],
  ])('%s is %s', (text, hour) => {
    expect(read(text, '2026-12-05')).toBe(`2026-12-05 ${hour}`)
  })

  test.each([
    ['5/12 a les 8 del vespre', '2026-12-05 20:00'],
    ['dissabte 28 a dos quarts de nou del vespre', '2026-11-28 20:30'],
    ['mañana a las 8 de la tarde', '2026-11-22 20:00'],
    ['demà a les 20 h', '2026-11-22 20:00'],
    ['el segon dissabte de desembre a les 18 h', '2026-12-12 18:00'],
  ])('%s is %s', (text, moment) => {
    expect(read(text)).toBe(moment)
  })

  test.each(['a les 8', 'les vuit', 'dos quarts de nou', '13 del vespre', 'tretze del vespre', '8 de la setmana'])(
    '%s, which can be morning or evening, is not guessed',
    text => {
      expect(read(text, '2026-12-05')).toBeUndefined()
    },
  )
})

describe('the order of day and month', () => {
  afterEach(() => useDateOrderOf({}))

  test.each([
    [{ LANG: 'en_US.UTF-8' }, '2027-05-12'],
    [{ LANG: 'en_US.UTF-8', LC_ALL: 'ca_ES.UTF-8' }, '2026-12-05'],
    [{ LANG: 'en_GB.UTF-8' }, '2026-12-05'],
    [{ LANG: 'C' }, '2026-12-05'],
    [{}, '2026-12-05'],
  ])('is that of the locale: %j', (env, day) => {
    useDateOrderOf(env)
    expect(read('5/12')).toBe(day)
  })

  test.each([
    ['', {}, '2027-05-12'],
    ['--ui ca', {}, '2026-12-05'],
    ['', { CALCTL_UI: 'es' }, '2026-12-05'],
    ['', { LC_MESSAGES: 'ca_ES.UTF-8' }, '2026-12-05'],
    ['--ui en', { CALCTL_UI: 'es' }, '2027-05-12'],
  ])('is that of the interface where the locale is American: %s %j', async (option, env, day) => {
    const calctl = calendar({ env: { LANG: 'en_US.UTF-8', ...env } })
    const line = `events create --title A --start-date 5/12 --all-day --json ${option}`
    expect(JSON.parse((await calctl(line)).out)).toMatchObject({ start_date: `${day} 00:00:00` })
  })

  test('what can only be read in the other order is read so where the month is first', () => {
    useDateOrderOf({ LANG: 'en_US.UTF-8' })
    expect(read('25/12')).toBe('2026-12-25')
    expect(read('12/25')).toBe('2026-12-25')
  })
})
