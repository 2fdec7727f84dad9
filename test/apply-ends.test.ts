import { expect, test } from 'vitest'
import { head, row, shelf } from './shelf.ts'

test('where all that failed are conflicts, the next step is to plan anew', async () => {
  const { calctl, file, path } = shelf()
  await calctl(`apply ${file('one.csv', head + row('Jazz'))} --yes`)
  await calctl(`diff ${file('edited.csv', 'id,title\n1,Swing\n')} --resource events --save ${path('plan.json')}`)
  await calctl('events update 1 --title Opera')
  const { status, err } = await calctl(`apply ${path('plan.json')} --yes`)
  expect(status).toBe(7)
  expect(err).toMatch(
    /error: 1 of 1 failed: 0 done, 1 failed, 0 unknown\nhint: plan anew: run the command on what is there now, .*\n$/,
  )
})

test('a dry run shows what cannot be done, and ends as doing it would', async () => {
  const { calctl, file } = shelf()
  const sheet = file('two.csv', `${head}${row('Jazz')}Opera,soon,later\n`)
  const { status, out, err } = await calctl(`apply ${sheet} --dry-run`)
  expect(out).toMatch(/^\+ event "Jazz" .*\n! row 3: start_date: .*\n\+ create 1 .* ! invalid 1\n$/)
  expect([status, err]).toEqual([2, 'error: 1 of the records cannot be done\nhint: mend them\n'])
  expect((await calctl(`apply ${sheet} --dry-run --skip-invalid`)).status).toBe(0)
})
