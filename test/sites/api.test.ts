import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { wordpressSite } from '../support/wordpress-site.ts'

const dates = 'start_date=2027-12-05 end_date=2027-12-05'

test('api sends a request with the credentials of the profile, and prints the answer', async () => {
  const { calctl, baseUrl } = await wordpressSite()
  const created = await calctl(
    `api post events -f title=Jazz ${dates
      .split(' ')
      .map(text => `-f ${text}`)
      .join(' ')} -f sticky=true`,
  )
  expect(created.status).toBe(0)
  expect(JSON.parse(created.out)).toMatchObject({ id: 1, title: 'Jazz', sticky: true })
  for (const path of ['events/1', '/tribe/events/v1/events/1', `${baseUrl}/tribe/events/v1/events/1`])
    expect(JSON.parse((await calctl(`api GET ${path}`)).out)).toMatchObject({ id: 1 })
  expect(JSON.parse((await calctl('api GET /wp/v2/users/me')).out)).toMatchObject({ slug: 'admin' })
  expect((await calctl('api GET events/1 --include')).out).toMatch(
    /^HTTP 200\n(.+\n)*content-type: application\/json.*\n(.+\n)*\n\{/,
  )
})

test('api reads all pages of a list', async () => {
  const { calctl } = await wordpressSite()
  const rows = Array.from({ length: 25 }, (_, index) =>
    JSON.stringify({ resource: 'tags', name: `Tag ${index}` }),
  ).join('\n')
  await calctl('apply - --format ndjson --yes', rows)
  const ofEvents = await calctl('api GET tags -f per_page=10 -f hide_empty=false --paginate')
  expect(JSON.parse(ofEvents.out).tags).toHaveLength(25)
  const ofWordPress = await calctl('api GET /wp/v2/tags -f per_page=10 --paginate')
  expect(JSON.parse(ofWordPress.out)).toHaveLength(25)
})

test('api sends every value of a parameter that stands in the address several times', async () => {
  const { calctl } = await wordpressSite()
  const { err } = await calctl(['api', 'GET', '/wp/v2/tags?include[]=3&include[]=5', '-f', 'per_page=1', '--debug'])
  expect(err).toContain('/wp/v2/tags?include%5B%5D=3&include%5B%5D=5&per_page=1 ')
})

test('api takes a body from a file or stdin', async () => {
  const { calctl, file } = await wordpressSite()
  const body = file('tag.json', '{"name":"Swing"}')
  const swing = await calctl(`api POST tags --input ${body}`)
  expect(JSON.parse(swing.out)).toMatchObject({ name: 'Swing' })
  expect(swing.err).toBe('this request is not in calctl history, and calctl undo cannot take it back\n')
  expect((await calctl('api GET tags')).err).toBe('')
  expect(JSON.parse((await calctl('api POST tags --input -', '{"name":"Rock"}')).out)).toMatchObject({ name: 'Rock' })
})

test('api prints the answer of a failure, and ends with its status', async () => {
  const { calctl } = await wordpressSite()
  const outcome = await calctl('api GET events/999')
  expect(outcome.status).toBe(4)
  expect(JSON.parse(outcome.out)).toMatchObject({ code: 'rest-event-not-found' })
})

test.each([
  ['api GET https://example.org/events', 'https://example.org/events is not below http://127.0.0.1'],
  ['api POST events -f title', '-f: expected key=value, got "title"'],
  ['api POST events --paginate', '--paginate'],
  ['api GET events --input body.json', '--input and GET cannot be used together'],
  ['api BREW events', 'method: expected one of GET, POST'],
  ['api POST events --input nothing.json', '--input: cannot read nothing.json: no such file'],
])('%s is refused', async (line, message) => {
  const { calctl, requests } = await wordpressSite()
  expect(await calctl(line)).toMatchObject({ status: 2, err: expect.stringContaining(message) })
  expect(requests()).toEqual([])
})

test('api writes to a protected profile only when that is confirmed', async () => {
  const config = mkdtempSync(join(tmpdir(), 'calctl-api-'))
  onTestFinished(() => rmSync(config, { recursive: true, force: true }))
  const env = { CALCTL_BASE_URL: '', CALCTL_NAMESPACE: '', XDG_CONFIG_HOME: config }
  const { calctl, baseUrl } = await wordpressSite({ env })
  await calctl(`profiles add town --base-url ${baseUrl} --namespace tribe/events/v1 --protected`)
  expect(await calctl('api POST tags -f name=Swing -p town')).toMatchObject({ status: 8 })
  expect(await calctl('api POST tags -f name=Swing -p town --confirm town')).toMatchObject({ status: 0 })
})

test('a bare undo after a request of calctl api names the run before it instead of taking it back', async () => {
  const { calctl, ask } = await wordpressSite()
  await calctl('tags create --name Jazz')
  await calctl('api POST tags -f name=Swing')
  for (const line of ['undo', 'undo --yes']) {
    const { status, err } = await calctl(line)
    expect(status).toBe(8)
    expect(err).toContain(
      'calctl undo cannot take back the last write, POST tags with calctl api; the run before it is',
    )
    expect(err).toMatch(/hint: if this is the run that you mean, name it: calctl undo \w{3}\n/)
  }
  const run = /(\w{3}) \(/.exec((await calctl('undo --yes')).err)?.[1]
  expect((await calctl(`undo ${run} --yes`)).status).toBe(0)
  const { tags } = await ask('GET /tags?hide_empty=false')
  expect(tags.map(({ name }: { name: string }) => name)).toEqual(['Swing'])
})
