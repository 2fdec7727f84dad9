import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openEmbedded } from '../../src/service/embedded.ts'
import { testTime, worldOf } from '../support/world.ts'

test('on another machine, which has no journal of the run, a plan that was applied creates nothing again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const machine = (name: string) =>
    worldOf({
      openCalendar: (place, onlyReads, notice) => openEmbedded(place, () => testTime, { onlyReads, notice }),
      cwd: folder,
      env: { CALCTL_BASE_URL: 'file:town.json', XDG_STATE_HOME: join(folder, name), HOME: folder },
    })
  const [here, elsewhere] = [machine('here'), machine('elsewhere')]
  await here('tags create --name Jazz -q')
  writeFileSync(join(folder, 'ball.csv'), 'title,start_date,end_date\nBall,2026-12-05 19:00,2026-12-05 21:00\n')
  await here('diff ball.csv --save plan.json')
  expect((await here('apply plan.json --yes')).status).toBe(0)
  expect((await here('apply plan.json --yes')).err).toContain('applied this plan already')
  const again = await elsewhere('apply plan.json --yes')
  expect([again.status, again.err]).toEqual([0, expect.stringContaining('1 done (1 already there)')])
  expect((await here('events list -o count')).out).toBe('1\n')
})
