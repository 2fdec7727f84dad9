import { expect, test } from 'vitest'
import { type Stage, stagedSite } from '../staged-site.ts'

/**
 * A site of WordPress that has an address for each language, and a plugin that decides in which one a new record is: the main one,
 * whatever is asked for, unless `obeys`. Without `tells` its answers say nothing of languages.
 */
async function multilingualSite({ tells, obeys = false }: { tells: boolean; obeys?: boolean }) {
  const stage: Stage = {
    before(asked) {
      const url = new URL(asked.url, 'http://site.test')
      const isSpanish = url.pathname.startsWith('/es/')
      url.pathname = url.pathname.replace(/^\/es\//, '/')
      const isCreate = asked.method === 'POST' && /\/(events|venues|tags)\/?$/.test(url.pathname)
      if (isSpanish && (obeys || !isCreate)) url.searchParams.set('lang_code', 'es')
      Object.assign(asked, { url: `${url.pathname}${url.search}` })
    },
    after(answer) {
      delete answer.headers['x-calendar-languages']
      if (!tells) answer.body = answer.body.replaceAll(/,?"lang_code":"\w+"/g, '')
    },
  }
  const { calctlWith, origin, seen } = await stagedSite(stage)
  const calctl = calctlWith({ CALCTL_BASE_URL: undefined, CALCTL_USER: undefined, CALCTL_NAMESPACE: undefined })
  await calctl(
    `profiles add site --base-url ${origin}/wp-json --base-url-for es=${origin}/es/wp-json --namespace tribe/events/v1 --lang ca --user admin --secret env:CALCTL_PASSWORD`,
  )
  return {
    calctl: (line: string) => calctl(`-p site ${line}`),
    apply: (csv: string) => calctl('-p site apply - --yes', csv),
    seen,
  }
}

const concert = '--title Concert --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"'

test.each([
  ['answers say', true],
  ['the address says, which is asked again,', false],
])('a record that %s is in another language than asked for is a conflict, with what to type', async (_, tells) => {
  const { calctl } = await multilingualSite({ tells })
  const created = await calctl(`events create --lang es ${concert}`)
  expect(created).toMatchObject({
    status: 7,
    err: expect.stringMatching(
      /error: event \d+ is in the language ca, not in es\nhint: remove it with: calctl events delete \d+ --lang ca; or set its language in WordPress/,
    ),
  })
  expect(await calctl('events list --lang ca --all-dates -o count')).toMatchObject({ out: '1\n' })
  expect(await calctl('undo --lang es --yes')).toMatchObject({ status: 0, err: expect.stringContaining('- trash 1') })
  expect(await calctl('events list --lang ca --all-dates -o count')).toMatchObject({ out: '0\n' })
})

test.each([true, false])('a record in the language that was asked for is none (its site says so: %s)', async tells => {
  const { calctl, seen } = await multilingualSite({ tells, obeys: true })
  expect((await calctl(`events create --lang es ${concert}`)).status).toBe(0)
  expect((await calctl(`events create --lang ca ${concert}`)).status).toBe(0)
  seen.splice(0)
  expect((await calctl(`events update concert --lang es --title Concierto`)).status).toBe(0)
  expect(seen.filter(line => line.startsWith('POST'))).toHaveLength(1)
})

test('the same holds for the records of a file', async () => {
  const { apply } = await multilingualSite({ tells: false })
  const row = 'es,Concierto,2026-12-05 19:00,2026-12-05 21:00'
  expect(await apply(`lang_code,title,start_date,end_date\n${row}\n`)).toMatchObject({
    status: 7,
    err: expect.stringContaining('is in the language ca, not in es'),
  })
})
