import { expect, test } from 'vitest'
import { connectionFlags } from '../../src/cli/commands/runs/resume-run.ts'
import type { World } from '../../src/cli/world.ts'

const world: Partial<World> = { env: { HOME: '/nowhere' }, platform: 'linux', cwd: '/' }

test.each([
  ['https://example.org/wp-json/tribe/events/v1', '--base-url https://example.org/wp-json --namespace tribe/events/v1'],
  ['http://127.0.0.1:8787/calendar/events/v1', '--base-url http://127.0.0.1:8787'],
  ['https://example.org/events/v1', '--base-url https://example.org --namespace events/v1'],
  ['file:///srv/our%20town.json', '--base-url file:///srv/our%20town.json'],
  ['demo:', '--demo'],
  ['file:///nowhere/.local/share/calctl/calendar.json', '--profile local'],
])('the calendar %s is reached with the flags %s', async (id, flags) => {
  const calendar = { id, label: 'Our town' }
  expect(await connectionFlags(world as World, { calendar })).toBe(flags)
  expect(await connectionFlags(world as World, { calendar, language: 'en' })).toBe(`${flags} --lang en`)
})
