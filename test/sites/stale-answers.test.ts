import { describe, expect, test } from 'vitest'
import type { Response } from '../../src/contract/exchange.ts'
import { dates, productionSite } from '../support/production-site.ts'

/** A site behind a proxy that answers what was read before with what it answered then. */
async function cachedSite({ wordpress = true } = {}) {
  const stored = new Map<string, Response>()
  let lose: (line: string, done: () => Promise<Response>) => Promise<Response | undefined> = async () => undefined
  let isCaching = true
  const site = await productionSite({
    wordpress,
    async intercept(request, pass) {
      if (request.method !== 'GET')
        return lose(`${request.method} ${request.path.replace('/tribe/events/v1', '')}`, () => pass(request))
      const key = `${request.path}?${request.query}`
      const answer = (isCaching && stored.get(key)) || (await pass(request))
      stored.set(key, answer)
      return answer
    },
  })
  return {
    ...site,
    /** What an editor does, who does not get stale answers. */
    async directly<T>(work: () => Promise<T>): Promise<T> {
      isCaching = false
      try {
        return await work()
      } finally {
        isCaching = true
      }
    },
    lose(line: string, how: (done: () => Promise<Response>) => Promise<Response>) {
      lose = async (asked, done) => (asked === line ? how(done) : undefined)
    },
  }
}

const badGateway: Response = { status: 502, headers: { 'content-type': 'text/html' }, body: '<html></html>' }

describe.each([true, false])('behind a cache (wp/v2: %s)', wordpress => {
  test('an update keeps what an editor changed since the last one', async () => {
    const { calctl, json, directly } = await cachedSite({ wordpress })
    const { id } = await json(`events create --title Jazz ${dates} --website https://jazz.example --cost 5 --json`)
    await calctl(`events update ${id} --title "Jazz night"`)
    await directly(() => calctl(`events update ${id} --website https://edited.example --cost 8`))
    expect(await calctl(`events update ${id} --title "Jazz and blues"`)).toMatchObject({ status: 0 })
    const event = await directly(() => json(`events get ${id} --json`))
    expect(event).toMatchObject({ title: 'Jazz and blues', website: 'https://edited.example', cost: '$8' })
  })

  test('a sheet that is applied again compares with what is there now', async () => {
    const { calctl, json, file, directly } = await cachedSite({ wordpress })
    const { id } = await json(`events create --title Jazz ${dates} --website https://jazz.example --json`)
    const sheet = file('town.csv', `resource,id,website\nevents,${id},https://sheet.example\n`)
    expect(await calctl(`apply ${sheet} --yes`)).toMatchObject({ status: 0 })
    await directly(() => calctl(`events update ${id} --website https://edited.example`))
    expect((await calctl(`apply ${sheet} --yes`)).err).toContain('1 to update')
    expect((await directly(() => json(`events get ${id} --json`))).website).toBe('https://sheet.example')
  })

  test('a create whose answer is lost is found, although it was not there a moment ago', async () => {
    const { calctl, lose, writes } = await cachedSite({ wordpress })
    expect(await calctl('events get jazz')).toMatchObject({ status: 4 })
    lose('POST /events', async done => {
      await done()
      return badGateway
    })
    const { status, err } = await calctl(`events create --title Jazz ${dates} --status publish --hide-from-listings`)
    expect([status, err]).toEqual([0, expect.stringContaining('the event was created anyway')])
    expect(writes()).toEqual(['POST /events'])
  })
})
