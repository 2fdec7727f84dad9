import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isWrite } from '../../src/contract/received-request.ts'
import { wordpressSite } from '../support/wordpress-site.ts'

/** A tag behind a protected profile of a site that obeys what WordPress obeys. */
async function protectedSite() {
  const config = mkdtempSync(join(tmpdir(), 'calctl-disguised-'))
  onTestFinished(() => rmSync(config, { recursive: true, force: true }))
  const env = { CALCTL_BASE_URL: '', CALCTL_NAMESPACE: '', XDG_CONFIG_HOME: config, M: 'DELETE' }
  const { calctl, baseUrl, ask, requests } = await wordpressSite({ env })
  await calctl(`profiles add town --base-url ${baseUrl} --namespace tribe/events/v1 --protected`)
  await ask('POST /tags', { name: 'Jazz' })
  const name = async () => (await ask('GET /tags/1')).name
  requests()
  return { calctl, baseUrl, name, requests, configFile: join(config, 'calctl/config.json') }
}

const spellings = ['X-HTTP-Method-Override', 'x_http_method_override', 'X-Http_METHOD-override']

test('a header that changes the method is refused in every spelling, before anything is sent', async () => {
  const { calctl, name, requests } = await protectedSite()
  for (const header of spellings)
    for (const line of ['api GET tags/1', 'tags get 1', 'profiles edit town']) {
      const target = line.startsWith('profiles') ? [] : ['-p', 'town']
      const outcome = await calctl([...line.split(' '), ...target, '--header', `${header}: env:M`])
      expect(outcome, `${line} ${header}`).toMatchObject({ status: 2, err: expect.stringContaining(header) })
    }
  expect(requests()).toEqual([])
  expect(await name()).toBe('Jazz')
})

test('a profile that stores such a header is refused, too', async () => {
  const { calctl, name, requests, configFile } = await protectedSite()
  for (const header of spellings) {
    const config = JSON.parse(readFileSync(configFile, 'utf8'))
    config.profiles.town.headers = { [header]: 'env:M' }
    writeFileSync(configFile, JSON.stringify(config))
    const { status, err } = await calctl('tags get 1 -p town')
    expect([status, err]).toEqual([3, expect.stringContaining(header)])
  }
  expect(requests()).toEqual([])
  expect(await name()).toBe('Jazz')
})

/** GETs whose finished request is a DELETE for a site of WordPress. */
const disguised = [
  ['tags/1?_method=DELETE', '-f', 'x=y&_method=GET'],
  ['tags/1?_method=DELETE', '-f', 'x=y&%5Fmethod=GET'],
  ['tags/1?_method=GET', '-f', '_method=DELETE'],
  ['tags/1', '-f', '_method=DELETE'],
  ['tags/1', '-f', '.method=DELETE'],
  [`tags/1?_method=DELETE&${'a=1&'.repeat(1000)}_method=GET`],
]

const cases = disguised.map(words => [words.join(' ').slice(0, 50), words] as const)

test.each(cases)('api GET %s is a write, as it is sent', async (_, words) => {
  const { calctl, name, requests } = await protectedSite()
  expect(await calctl(['api', 'GET', ...words, '-p', 'town'])).toMatchObject({ status: 8 })
  expect(requests()).toEqual([])
  expect(await name()).toBe('Jazz')
})

test('a text of -f is one value, whatever is in it', async () => {
  const { calctl, requests } = await protectedSite()
  expect(await calctl(['api', 'GET', 'tags/1', '-f', 'x=y&_method=DELETE', '-p', 'town'])).toMatchObject({ status: 0 })
  expect(requests()).toEqual(['GET /tags/1'])
})

test('without permalinks the path is a parameter, and what is in it is not another one', async () => {
  const { calctl, baseUrl, name } = await protectedSite()
  await calctl(`profiles edit town --base-url ${baseUrl}/?rest_route=`)
  for (const path of ['tags/1&_method=DELETE', 'tags/1&_method=DELETE#'])
    expect((await calctl(['api', 'GET', path, '-p', 'town'])).status, path).not.toBe(0)
  expect(await calctl(['api', 'GET', 'tags/1', '-p', 'town'])).toMatchObject({ status: 0 })
  expect(await name()).toBe('Jazz')
})

test('a request is a write if any of the methods that it names makes it one', () => {
  const many = 'a=1&'.repeat(1000)
  for (const query of [
    '_method=DELETE&_method=GET',
    '_method=GET&_method=DELETE',
    `_method=DELETE&${many}_method=GET`,
    '_method[]=GET',
    '.method=PUT&_method=get',
  ])
    expect(isWrite({ method: 'GET', query }), query.slice(0, 40)).toBe(true)
  const headers = { 'x-http-method-override': 'DELETE' }
  expect(isWrite({ method: 'GET', query: `${many}_method=GET`, headers })).toBe(true)
  expect(isWrite({ method: 'GET', query: '_method=get&_method=HEAD' })).toBe(false)
})
