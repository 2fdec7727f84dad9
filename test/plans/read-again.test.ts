import { expect, test } from 'vitest'
import { calendarWithFiles } from '../support/calendar-with-files.ts'
import { words } from '../support/world.ts'

test('the line that an error sheet is applied with has the options that decided what its rows mean', async () => {
  const { calctl, file, path, text } = calendarWithFiles()
  const sheet = file('season.csv', 'Nom,Quan,Hora,Espai\nConcert,5 de juny,19:00,Sala\nBall,6 de juny,25:00,Sala\n')
  const options = '--resource events --map Quan=Data --map Espai=Lloc --dates-from tomorrow --date-order dmy'
  const errors = path('errors.csv')
  const { status, err } = await calctl(
    `apply ${sheet} --yes --skip-invalid --create-missing --errors ${errors} ${options}`,
  )
  expect(status).toBe(6)
  const [, line = ''] = /then run: calctl (.*)/.exec(err) ?? []
  expect(line).toBe(
    `apply ${errors} --resource events --date-order dmy --dates-from 2026-11-22 --map Quan=Data --map Espai=Lloc --create-missing`,
  )
  file('errors.csv', text('errors.csv').replace('25:00', '20:00'))
  expect(await calctl([...words(line), '--yes'])).toMatchObject({ status: 0 })
  const { out } = await calctl('events list --all-dates --fields title,start_date,venue.venue -o csv')
  expect(out.split('\n').slice(1, 3)).toEqual(['Concert,2027-06-05 19:00:00,Sala', 'Ball,2027-06-06 20:00:00,Sala'])
})

test('all faults of a row are said at once', async () => {
  const { calctl, file } = calendarWithFiles()
  const row = 'Â«ConcertÂ»,soon,19:00,perhaps,x y,ftp:\n'
  const { err } = await calctl(`apply ${file('one.csv', `Title,Date,Hora,Private,Status,Website\n${row}`)}`)
  for (const heading of ['Title', 'Date', 'Private', 'Status', 'Website']) expect(err).toContain(`${heading}: `)
})

test('a row without a title says what else is wrong with it', async () => {
  const { calctl, file } = calendarWithFiles()
  const { err } = await calctl(`apply ${file('one.csv', 'Title,Date,Website\n,2027-06-05,ftp:\n')}`)
  for (const fault of ['Website: ', 'a new event needs a title']) expect(err).toContain(fault)
})
