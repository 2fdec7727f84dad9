import { expect, test } from 'vitest'
import { siteBehindProxy } from '../support/site-behind-proxy.ts'

const sheet = (website: string) =>
  `title,start_date,end_date,website\n${Array.from({ length: 6 }, (_, row) => `Act ${row},2030-12-10 19:00,2030-12-10 21:00,${website}\n`).join('')}`

test('a record that another machine created with other values meanwhile is not said to be done', async () => {
  let isSecondDone = false
  const { calctl, second, file } = await siteBehindProxy({
    before: async ({ method, path }) => {
      if (method !== 'GET' || !path.startsWith('/events') || !isPlanned || isSecondDone) return
      isSecondDone = true
      await second(`apply ${others} --yes -q`)
    },
  })
  let isPlanned = false
  const own = file('own.csv', sheet('https://own.example'))
  const others = file('others.csv', sheet('https://others.example').split('\n').slice(0, 3).join('\n'))
  await calctl(`diff ${own} --save ${own}.json`)
  isPlanned = true
  const { status, err } = await calctl(`apply ${own}.json --yes`)
  expect([status, err]).toEqual([7, expect.stringContaining('by someone else with different values: website')])
  expect(err).toContain('6 done (2 not as requested, 2 already there)')
  const again = await calctl(`apply ${own} --yes`)
  expect([again.status, again.err]).toEqual([0, expect.stringContaining('2 to update')])
})
