import { expect, test } from 'vitest'
import { worldOf } from '../support/world.ts'

const calctl = worldOf({})

const hintOf = async (line: string) => {
  const { status, out, err } = await calctl(line)
  expect({ line, status, out }).toEqual({ line, status: 2, out: '' })
  return err.split('\n')[1]?.replace('hint: ', '')
}

const meant: readonly (readonly [typed: string, hint: string])[] = [
  ['events add --title "Jazz night" --cost 5', "calctl events create --title 'Jazz night' --cost 5"],
  ['events new', 'calctl events create'],
  ['venues rm 12', 'calctl venues delete 12'],
  ['events remove 12 -y', 'calctl events delete 12 -y'],
  ['events trash 12', 'calctl events delete 12'],
  ['events show concert', 'calctl events get concert'],
  ['events 12', 'calctl events get 12'],
  ['-p town events view 12 -q', 'calctl -p town events get 12 -q'],
  ['events ls --all', 'calctl events list --all'],
  ['events search jazz a la plaça --all', "calctl events list --search 'jazz a la plaça' --all"],
  ['events find jazz', 'calctl events list --search jazz'],
  ['import season.csv --dry-run', 'calctl apply season.csv --dry-run'],
  ['events import season.csv', 'calctl apply season.csv'],
  ['events move 12 +7d', 'calctl events update 12 --shift +7d'],
  ['events move 12', 'calctl events update 12 --shift +7d'],
  ['events reschedule 12 "2026-12-05 19:00"', "calctl events update 12 --start-date '2026-12-05 19:00'"],
  ['events unpublish 12', 'calctl events update 12 --status draft'],
  ['events list jazz a la plaça --all', "calctl events list --all --search 'jazz a la plaça'"],
  ['events list saturday', 'calctl events list --on saturday'],
  ['events list 21 de novembre', "calctl events list --on '21 de novembre'"],
  ['events list 12', 'calctl events get 12'],
  ['venues list girona', 'calctl venues list --search girona'],
  ['agenda saturday', 'calctl agenda --on saturday'],
  ['agenda weekend', 'calctl agenda --weekend'],
  ['agenda december', 'calctl agenda --month december'],
  ['agenda 12/2026', 'calctl agenda --month 12/2026'],
  ['agenda next week', "calctl agenda --week 'next week'"],
  ['agenda jazz', 'calctl agenda --search jazz'],
  ['edit 5', 'calctl events edit 5'],
  ['edit venue 5', 'calctl venues edit 5'],
  ['upload poster.png', 'calctl media upload poster.png'],
  ['upload season.xlsx', 'calctl apply season.xlsx'],
  ['auth login', 'calctl login'],
  ['auth logout', 'calctl logout'],
  ['config list', 'calctl profiles list'],
  ['events agenda', 'calctl agenda'],
  ['venues export', 'calctl export venues'],
  ['events publish 12 13', 'calctl events update 12 13 --status publish'],
  ['config', 'calctl login'],
  ['init example.org', 'calctl login example.org'],
  ['version', 'calctl --version'],
  ['list --all', 'calctl events list --all'],
  ['add --title Jazz', 'calctl events create --title Jazz'],
  ['new event', 'calctl events create'],
  ['add venue --venue Sala', 'calctl venues create --venue Sala'],
  ['delete category 27', 'calctl categories delete 27'],
  ['event add --title Jazz', 'calctl events create --title Jazz'],
  ['category list', 'calctl categories list'],
  ['events list --image none --all', 'calctl events list --where image=none --all'],
  ['today', 'calctl events list --today'],
  ['events list --since 2026-12-01', 'calctl events list --from 2026-12-01'],
  ['events list --since=2026-12-01 --all', 'calctl events list --from=2026-12-01 --all'],
  ['venues create --name Sala', 'calctl venues create --venue Sala'],
  ['venues list --on saturday', 'calctl events list --on saturday'],
  ['events create --price 5', 'calctl events create --cost 5'],
  ['events delete 12 --force', 'calctl events delete 12 --yes'],
  ['events add --title Jazz --password secret', 'calctl events create --title Jazz --password ***'],
]

for (const [line, hint] of meant)
  test(`calctl ${line}: the answer is the command to type`, async () => {
    expect(await hintOf(line)).toBe(`did you mean: ${hint}`)
  })

test('what to type is a command with options that exist', async () => {
  for (const [, hint] of meant) {
    const { err } = await calctl(`${hint.replace(/^calctl /, '')} --help`)
    expect({ hint, err }).toEqual({ hint, err: '' })
  }
})

test('for an event that is cancelled, both what hides it and what marks it are said', async () => {
  expect(await hintOf('events cancel 12')).toBe(
    'did you mean: calctl events update 12 --status draft to hide it, or on a site with wp/v2, to mark its page as cancelled: calctl api POST /wp/v2/tribe_events/12 -f \'meta={"_tribe_events_status":"canceled"}\'',
  )
})

test('a mistyped word gets the nearest one, and a strange one the usage', async () => {
  expect(await hintOf('events creat')).toBe('did you mean create?')
  expect(await hintOf('events list --stats x')).toMatch(/^did you mean .*--status/)
  expect(await hintOf('events frobnicate')).toBe('see the usage with: calctl events --help')
})

test('calctl events help list still prints help', async () => {
  expect((await calctl('events help list')).out).toMatch(/^List events/)
})
