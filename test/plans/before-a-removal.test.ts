/** Every command that removes records says before how many others it touches. */
import { expect, test } from 'vitest'
import { productionSite } from '../support/production-site.ts'

test.each([
  ['venues delete 1', '3 events use it'],
  ['organizers delete 3', '3 events use it'],
  ['tags delete 1', '3 events use it'],
  ['categories delete 2', '1 category below it moves up'],
  ['categories delete 3', '3 events use it'],
  ['venues delete --where venue=Hall', '3 events use it'],
  ['tags delete --where name=Jazz', '3 events use it'],
])('%s: %s', async (command, expected) => {
  const { calctl, json } = await productionSite()
  for (const line of [
    'venues create --venue Hall',
    'venues create --venue Barn',
    'organizers create --organizer Club',
    'tags create --name Jazz',
    'categories create --name Music',
    'categories create --name Opera --parent 2',
  ])
    await json(`${line} --json`)
  for (const day of [1, 2, 3])
    await json(
      `events create --title E${day} --start-date 2027-02-0${day}T10:00 --duration 2h --venue 1 --organizer 3 --tags 1 --categories 3 --json`,
    )
  const dryRun = await calctl(`${command} --dry-run`)
  expect(dryRun.err).toContain(expected)
  const asked = await calctl(command)
  expect(asked).toMatchObject({ status: 8, err: expect.stringContaining(expected) })
})
