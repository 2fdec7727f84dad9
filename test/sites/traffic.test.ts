import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { wordpressSite } from '../support/wordpress-site.ts'

const create = 'events create --title Jazz --start-date 2027-12-05 --end-date 2027-12-05 --post-password sesame -o ids'

test('--debug prints each request with its answer and its time, without secrets', async () => {
  const { calctl, baseUrl } = await wordpressSite()
  const { status, err } = await calctl(`${create} --debug`)
  expect(status).toBe(0)
  expect(err).toMatch(`POST ${baseUrl}/tribe/events/v1/events → 20`)
  expect(err).toMatch(/ → 20\d, \d+ bytes, \d+ ms\n {2}\{.*"title":"Jazz"/)
  expect(err).not.toMatch(/sesame|secret|Basic/)
})

test('--print-curl prints a line that does the same when it is pasted, with variables for secrets', async () => {
  const { calctl, baseUrl } = await wordpressSite()
  const { err } = await calctl(
    `events create --title "It's Jazz" --start-date 2027-12-05 --end-date 2027-12-05 --print-curl -q -o ids`,
  )
  const line = err.split('\n').find(text => text.includes('-X POST')) ?? ''
  expect(line).toContain('"$AUTHORIZATION"')
  const authorization = `Basic ${Buffer.from('admin:secret').toString('base64')}`
  const { stdout } = await promisify(execFile)('sh', ['-c', line], {
    env: { ...process.env, AUTHORIZATION: authorization, NO_PROXY: '*' },
  })
  expect(JSON.parse(stdout)).toMatchObject({
    id: 2,
    title: expect.stringContaining('Jazz'),
    url: expect.stringContaining(new URL(baseUrl).host),
  })
})

test('--print-curl prints a line for HEAD that does not wait for a body', async () => {
  const { calctl } = await wordpressSite()
  const { err } = await calctl('api HEAD events --print-curl')
  expect(err).toMatch(/^curl --head /)
})
