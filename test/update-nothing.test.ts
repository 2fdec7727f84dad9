import { expect, test } from 'vitest'
import { calendar } from './calendar.ts'

test.each(['62\n', 'jazz\nopera\n', ''])(
  'update - with names alone, %j, says that there is nothing to change',
  async stdin => {
    expect(await calendar()('events update - --yes', stdin)).toEqual({
      status: 2,
      out: '',
      err: 'error: nothing to change\nhint: set a field, for example: calctl events update concert --title "Concert de Nadal"\n',
    })
  },
)

test('update - takes the changes from records on stdin', async () => {
  const calctl = calendar()
  await calctl('tags create --name Jazz')
  expect((await calctl('tags update - --yes', '{"id":1,"name":"Blues"}\n')).status).toBe(0)
  expect((await calctl('tags get 1 --fields name -o tsv')).out).toBe('name\nBlues\n')
})
