import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { html, type Stage, stagedSite } from '../support/staged-site.ts'

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** A web server that asks for a password in front of the site, and that passes `X-Authorization` on if it knows how to. */
const behindPassword = (passesOn: boolean): Stage => ({
  answer: ({ headers }) =>
    headers.authorization === basic('staging', 'moonlight')
      ? undefined
      : html(401, 'Authorization required', { 'www-authenticate': 'Basic realm="Staging"' }),
  before({ headers }) {
    const { 'x-authorization': user } = headers
    delete headers.authorization
    if (passesOn && user) headers.authorization = user
  },
})

const front = '--front-user staging --front-secret env:STAGING'

async function site(passesOn: boolean) {
  const staged = await stagedSite(behindPassword(passesOn))
  const { calctlWith, origin } = staged
  const unset = {
    CALCTL_BASE_URL: undefined,
    CALCTL_NAMESPACE: undefined,
    CALCTL_USER: undefined,
    CALCTL_PASSWORD: undefined,
  }
  return { ...staged, address: origin, calctl: calctlWith({ ...unset, STAGING: 'moonlight' }) }
}

test('login keeps both passwords, where the site takes the user beside the one in front of it', async () => {
  const { calctl, address, folder } = await site(true)
  const { status, err } = await calctl(
    `login ${address} --user admin --password-stdin --name stage ${front}`,
    'secret\n',
  )
  expect([status, err]).toEqual([0, expect.stringContaining('logged in as admin')])
  const { profiles } = JSON.parse(readFileSync(join(folder, 'config/calctl/config.json'), 'utf8'))
  expect(profiles.stage).toMatchObject({ frontUser: 'staging', frontSecret: 'env:STAGING', user: 'admin' })
  const created = await calctl('tags create --name Jazz --debug')
  expect([created.status, created.err]).toEqual([0, expect.not.stringContaining('moonlight')])
  expect((await calctl('doctor')).out).not.toContain('failed')
})

test('login says what can be done where both passwords need the same header', async () => {
  const { calctl, address } = await site(false)
  const { status, err } = await calctl(`login ${address} --user admin --password-stdin ${front}`, 'secret\n')
  expect([status, err]).toEqual([3, expect.stringContaining('it did not see the name and password that were sent')])
  expect(err).toContain('a request has one Authorization header')
  expect(err).toContain('exempt the REST API')
})

test('a site behind a password can be read with that alone', async () => {
  const { calctl, address } = await site(false)
  expect((await calctl(`login ${address} --anonymous ${front}`)).status).toBe(0)
  expect((await calctl('events list -o count')).out).toBe('0\n')
})

test('on a terminal, login asks for the password in front of a site, and keeps it apart from the settings', async () => {
  const { address, calctlWith, folder } = await site(true)
  const calctl = calctlWith(
    {
      CALCTL_BASE_URL: undefined,
      CALCTL_NAMESPACE: undefined,
      CALCTL_USER: undefined,
      CALCTL_PASSWORD: undefined,
      STAGING: undefined,
      CALCTL_UI: 'en',
    },
    { terminal: 80, keys: ['staging\r', 'moonlight\r', 'secret\r'] },
  )
  const { status, err } = await calctl(`login ${address} --user admin --name stage`)
  expect([status, err]).toEqual([0, expect.stringContaining('logged in as admin')])
  expect(err).not.toContain('moonlight')
  const config = readFileSync(join(folder, 'config/calctl/config.json'), 'utf8')
  expect(JSON.parse(config).profiles.stage).toMatchObject({ frontUser: 'staging' })
  expect(config).not.toContain('moonlight')
  expect(await calctl('tags create --name Jazz')).toMatchObject({ status: 0 })
})

test('login says without a terminal how to give the password in front of a site', async () => {
  const { address, calctlWith, env } = await site(true)
  const { CALCTL_BASE_URL: _url, CALCTL_NAMESPACE: _namespace, ...settings } = env
  const unset = {
    CALCTL_USER: undefined,
    CALCTL_PASSWORD: undefined,
    CALCTL_BASE_URL: undefined,
    CALCTL_NAMESPACE: undefined,
  }
  const { status, err } = await calctlWith({ ...settings, ...unset })(
    `login ${address} --user admin --password-stdin`,
    'secret\n',
  )
  expect([status, err]).toEqual([3, expect.stringContaining('asks for a password of the web server')])
  expect(err).toContain('calctl login --front-user NAME')
})

test('doctor says of a user behind such a password what can be done', async () => {
  const { calctl, address } = await site(false)
  await calctl(
    `profiles add stage --base-url ${address}/wp-json --namespace tribe/events/v1 --user admin --secret env:STAGING ${front}`,
  )
  const { out } = await calctl('doctor -p stage --json')
  const findings: { check: string; state: string; hint: string }[] = JSON.parse(out)
  const [failed, ...others] = findings.filter(({ state }) => state === 'failed')
  expect([failed?.check, failed?.hint, others]).toEqual([
    'Authorization',
    expect.stringContaining('exempt the REST API'),
    [],
  ])
})
