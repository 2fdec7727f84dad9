import { expect, test } from 'vitest'
import { wayTo } from '../src/commands/runs/way.ts'
import type { World } from '../src/world.ts'

const world = { env: { HOME: '/nowhere' }, platform: 'linux', cwd: '/' } as unknown as World

test.each([
  ['https://example.org/wp-json/tribe/events/v1', '--base-url https://example.org/wp-json --namespace tribe/events/v1'],
  ['http://127.0.0.1:8787/calendar/events/v1', '--base-url http://127.0.0.1:8787'],
  ['https://example.org/events/v1', '--base-url https://example.org --namespace events/v1'],
  ['the calendar file /srv/our town.json', '--base-url file:///srv/our%20town.json'],
  ['the calendar file /nowhere/.local/share/calctl/calendar.json', '--profile local'],
])('the way to %s is %s', async (origin, way) => {
  expect(await wayTo(world, { origin })).toBe(way)
  expect(await wayTo(world, { origin, language: 'en' })).toBe(`${way} --lang en`)
})
