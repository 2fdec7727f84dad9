import { expect } from 'vitest'
import { feed } from './feed-server.ts'
import { folder } from './folder.ts'
import { web } from './web.ts'

interface Rules {
  readonly theatre?: string
  readonly others?: Record<string, readonly string[]>
}

/** A folder whose sources have been applied once. */
export async function town(events: readonly string[], { theatre = '', others = {} }: Rules = {}) {
  const { url, answers } = await web({ '/theatre.ics': feed(...events) })
  for (const [name, list] of Object.entries(others)) answers[`/${name}.ics`] = feed(...list)
  const all = ['theatre', ...Object.keys(others)].map(
    name => `  - name: ${name}\n    place: ${url}/${name}.ics\n${name === 'theatre' ? theatre : ''}`,
  )
  const { calctl, read, cwd, env } = folder({ 'sources.yaml': `sources:\n${all.join('')}` })
  expect((await calctl('trust')).status).toBe(0)
  const apply = (more = '') => calctl(`sources apply --yes ${more}`)
  const first = await apply()
  expect(first).toMatchObject({ status: 0 })
  const says = (name: string, ...list: string[]) => {
    answers[`/${name}.ics`] = feed(...list)
  }
  const show = async (fields = 'title') =>
    (await calctl(`events list --all-dates --fields ${fields} -o csv`)).out.split('\n').slice(1, -1)
  return { calctl, cwd, env, first, read, apply, says, show, answers, url }
}
