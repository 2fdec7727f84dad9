import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { event, feed } from './feed-server.ts'
import { folder } from './folder.ts'
import { web } from './web.ts'

/** The text of all files below a folder. */
const allFiles = (root: string): string =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name !== 'sources.yaml')
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')

test('a secret in the address of a source is in no message, plan, journal or memory', async () => {
  const { url, answers } = await web({ '/a.ics?key=SECRET': feed(event({ uid: 'a', title: 'Concert' })) })
  const { calctl, root } = folder({ 'sources.yaml': `sources:\n  - name: a\n    place: ${url}/a.ics?key=SECRET\n` })
  const said: string[] = []
  const run = async (line: string) => {
    const { out, err } = await calctl(line)
    said.push(out, err)
  }
  await run('trust')
  await run('sources plan --save plan.json')
  await run('sources apply --yes')
  await run('runs show --json')
  answers['/a.ics?key=SECRET'] = '<html>SORRY</html>'
  await run('sources apply --yes')
  delete answers['/a.ics?key=SECRET']
  await run('sources apply --yes')
  await run('sources status --json')
  expect(said.join('\n')).toContain('404')
  expect(said.join('\n')).not.toContain('SECRET')
  expect(allFiles(root)).not.toContain('SECRET')
})

test('nor is one in the address of a feed that is applied', async () => {
  const { url, answers } = await web({ '/a.ics?key=SECRET': feed(event({ uid: 'a', title: 'Concert' })) })
  const { calctl, root } = folder()
  const said: string[] = []
  for (const line of ['apply', 'apply', 'history --json #', 'runs show --json #']) {
    const { out, err } = await calctl(line.includes('#') ? line.slice(0, -2) : `${line} ${url}/a.ics?key=SECRET --yes`)
    said.push(out, err)
    delete answers['/a.ics?key=SECRET']
  }
  expect(said.join('\n')).toContain('answered 404')
  expect(said.join('\n')).not.toContain('SECRET')
  expect(allFiles(root)).not.toContain('SECRET')
})

test('credentials in an address are refused, and not repeated', async () => {
  const { calctl } = folder()
  const { status, err } = await calctl('sources add a https://ada:SECRET@town.example/a.ics')
  expect({ status, err }).toEqual({ status: 2, err: expect.not.stringContaining('SECRET') })
})
