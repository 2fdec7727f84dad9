import { expect, test } from 'vitest'
import { type Passing, siteBehindProxy } from '../support/site-behind-proxy.ts'

const concert = 'events create --title Concert --start-date "2030-12-05 19:00" --end-date "2030-12-05 21:00"'

const rows = Array.from(
  { length: 6 },
  (_, index) => `Act ${index + 1},2030-12-0${index + 1} 19:00,2030-12-0${index + 1} 21:00`,
)
const sheet = `title,start_date,end_date\n${rows.join('\n')}\n`

const warning =
  '<br />\n<b>Warning</b>:  Undefined array key "id" {"noisy": [1, {}]} in <b>/srv/www/plugin.php</b> on line <b>12</b><br />\n'

const isWrite = ({ method }: Passing) => method !== 'GET'

test.each([
  ['a warning before it', (body: string) => warning + body],
  ['a byte order mark', (body: string) => `\ufeff${body}`],
  ['bytes after it', (body: string) => `${body}\n<!-- cached in 0.2 s -->0`],
  ['both', (body: string) => `${warning}${warning}${body}\n0`],
])('an answer with %s is read, whichever call it answers', async (_, noise) => {
  const { calctl, requests } = await siteBehindProxy({
    garble: answer => {
      answer.body = noise(answer.body)
    },
  })
  expect(await calctl(`${concert} -o ids`)).toMatchObject({ status: 0, out: '1\n' })
  expect(await calctl('events update 1 --title Recital -q --json')).toMatchObject({ status: 0, err: '' })
  expect(await calctl('events get 1 --fields title -o csv')).toMatchObject({ out: 'title\nRecital\n' })
  expect(await calctl('events list --all-dates -o count')).toMatchObject({ out: '1\n' })
  expect(await calctl('events get 99')).toMatchObject({ status: 4, err: expect.stringContaining('no event 99') })
  expect(await calctl('events delete 1 --yes')).toMatchObject({ status: 0 })
  expect(requests.filter(line => line.startsWith('POST /events')).length).toBe(2)
})

test('an error that a notice turned into a 200 is an error', async () => {
  const { calctl } = await siteBehindProxy({
    garble: answer => {
      answer.body = warning + answer.body
      answer.status = 200
    },
  })
  expect(await calctl('events get 99')).toMatchObject({ status: 4, err: expect.stringContaining('no event 99') })
  expect(await calctl(`${concert} --venue 77`)).toMatchObject({ status: 4 })
})

const unreadable: [string, (answer: Passing) => void][] = [
  ['an HTML page', answer => Object.assign(answer, { body: '<!doctype html><p>{"id": 7, "title": "Thank you"}</p>' })],
  ['202 and no text', answer => Object.assign(answer, { status: 202, body: '' })],
  ['204', answer => Object.assign(answer, { status: 204, body: '' })],
  ['no text', answer => Object.assign(answer, { body: '' })],
  ['a part of the JSON', answer => Object.assign(answer, { body: answer.body.slice(0, -200) })],
  ['other JSON', answer => Object.assign(answer, { body: '{"success":true,"data":{"id":7}}' })],
]

test.each(unreadable)('a write that is answered with %s is looked up, and sent once', async (_, garble) => {
  const { calctl, requests, file } = await siteBehindProxy({
    garble: answer => {
      if (isWrite(answer)) garble(answer)
      return undefined
    },
  })
  const created = await calctl(`${concert} -o ids`)
  expect(created).toMatchObject({ status: 0, out: '1\n' })
  expect(created.err).toContain('the event was created anyway')
  expect(await calctl('events update 1 --title Recital -o ids')).toMatchObject({ status: 0, out: '1\n' })
  expect(await calctl('events delete 1 --yes')).toMatchObject({ status: 0 })
  expect(requests.filter(line => !line.startsWith('GET'))).toEqual([
    'POST /events',
    'POST /events/1',
    'DELETE /events/1',
  ])
  expect(await calctl(`apply ${file('acts.csv', sheet)} --yes`)).toMatchObject({ status: 0 })
  expect(await calctl('events list --all-dates -o count')).toMatchObject({ out: '6\n' })
})

test('a write whose outcome stays unknown may have been made, and resume does not make it twice', async () => {
  let isDown = false
  const { calctl, requests, file } = await siteBehindProxy({
    garble: answer => {
      if (isWrite(answer)) isDown = true
      if (isDown) answer.body = '<!doctype html><title>Just a moment</title>'
      return undefined
    },
  })
  const { status, err } = await calctl(concert)
  expect(status).toBe(5)
  expect(err).toMatch(/answered with a browser check \(Cloudflare\) instead of data; the event may have been created/)
  expect(err).toContain('hint: before you try again, check with: calctl events list --all-dates')
  expect(err).not.toContain('base URL')
  isDown = false
  expect((await calctl(`apply ${file('acts.csv', sheet)} --yes --jobs 1 --retries 0`)).status).toBe(5)
  isDown = false
  const resumed = await calctl('runs resume')
  expect(resumed.err).not.toContain('base URL')
  isDown = false
  while ((await calctl('runs resume')).status !== 0) isDown = false
  expect(await calctl('events list --all-dates -o count')).toMatchObject({ out: '7\n' })
  expect(requests.filter(line => line === 'POST /events').length).toBe(7)
})
