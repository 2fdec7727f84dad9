import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { siteBehindProxy } from '../support/site-behind-proxy.ts'

test('an undo that was not answered is not done because a list of the trash leaves its event out', async () => {
  let state: 'up' | 'down' | 'short' = 'up'
  const { calctl, second, env } = await siteBehindProxy({
    before({ method }) {
      if (method === 'POST' && state === 'down') throw new Error('the request does not arrive')
    },
    garble(answer) {
      if (state === 'short' && answer.path.includes('status=trash'))
        answer.body = answer.path.includes('/wp/v2/') ? '[]' : '{"events":[],"total":0,"total_pages":0}'
      return undefined
    },
  })
  await second('events create --title Jazz --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"')
  expect(await calctl('events delete 1 --yes')).toMatchObject({ status: 0 })
  state = 'down'
  expect(await calctl('undo --yes --retries 0')).not.toMatchObject({ status: 0 })
  // As if it had been killed before the site got the request.
  const folder = `${env.XDG_STATE_HOME}/calctl/runs`
  const journal = `${folder}/${readdirSync(folder)
    .filter(name => name.endsWith('.ndjson'))
    .toSorted()
    .at(-1)}`
  writeFileSync(journal, readFileSync(journal, 'utf8').replace(/(^\{"sent"[^\n]*\n).*/ms, '$1'))
  state = 'short'
  expect(await calctl('runs resume --yes')).toMatchObject({ status: 7 })
  state = 'up'
  expect(await calctl('runs resume --yes')).toMatchObject({ status: 0 })
  expect((await second('events list --all -o ids')).out).toBe('1\n')
})
