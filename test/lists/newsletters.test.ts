import { expect, test } from 'vitest'
import { town } from './town.ts'

const commands = ['agenda --from 2026-11-21 --to 2026-11-30', 'month 2026-11']
const forms = ['markdown', 'html']
const both = commands.flatMap(command => forms.map(form => `${command} -o ${form}`))

test('a newsletter in Markdown has days as headings and an event a line', async () => {
  const { calctl } = await town()
  const { status, out } = await calctl('agenda --from 2026-11-21 --to 2026-11-22 -o markdown')
  expect(status).toBe(0)
  expect(out).toBe(`## 21–22 November 2026

### Saturday 21 November

- Thursday 5 November, 10:00 – Monday 23 November 2026, 19:00 · [**Exhibition**](http://calendar.test/event/exhibition/) · Teatre Principal, Carrer Nou 1, Girona
- Friday 20 November – Sunday 22 November 2026, all day · [**Fair**](http://calendar.test/event/fair/)
- 08:00–14:00 · [**Market**](http://calendar.test/event/market/)
- 22:30–02:00 · [**Late session**](http://calendar.test/event/late-session/) · Teatre Principal, Carrer Nou 1, Girona

### Sunday 22 November

- 18:00–19:00 · [**日本語の音楽祭り 🎉**](http://calendar.test/event/%e6%97%a5%e6%9c%ac%e8%aa%9e%e3%81%ae%e9%9f%b3%e6%a5%bd%e7%a5%ad%e3%82%8a-%f0%9f%8e%89/)
`)
})

test('a newsletter as HTML is a fragment of a few tags, without styles, scripts, classes and IDs', async () => {
  const { calctl } = await town()
  for (const command of commands) {
    const { status, out } = await calctl(`${command} -o html`)
    expect(status).toBe(0)
    expect(out).toMatch(/^<meta charset="utf-8">\n<h2>.*November 2026<\/h2>\n<h3>/)
    const tags = new Set([...out.matchAll(/<\/?(\w+)/g)].map(([, tag]) => tag))
    expect([...tags].toSorted()).toEqual(['a', 'h2', 'h3', 'li', 'meta', 'strong', 'ul'])
    expect(out).not.toMatch(/style=|class=|\bid=|<script/)
    for (const tag of ['h2', 'h3', 'ul', 'li', 'strong', 'a'])
      expect(out.split(`<${tag}`).length).toBe(out.split(`</${tag}>`).length)
  }
})

test.each(both)('an exhibition stands once, with all of its days, and no event has its ID: %s', async line => {
  const { calctl } = await town()
  const { out } = await calctl(line)
  expect(out.match(/Exhibition/g)).toHaveLength(1)
  expect(out).toContain('Thursday 5 November, 10:00 – Monday 23 November 2026, 19:00')
  const { out: ids } = await calctl(`${line.replace(/-o \w+/, '-o ids')}`)
  for (const id of ids.trim().split('\n')) expect(out).not.toContain(`(${id})`)
})

test.each(both)('a newsletter has what everybody sees, and the rest only with --with private: %s', async line => {
  const { calctl } = await town()
  const add = (title: string, more: string[]) =>
    calctl(['events', 'create', '--title', title, '--start-date', '2026-11-25 19:00', '--duration', '1h', ...more])
  await add('Board', ['--status', 'private'])
  await add('Proposal', ['--status', 'pending'])
  await add('Unlisted', ['--hide-from-listings'])
  const hidden = ['Rehearsal', 'Board', 'Proposal', 'Unlisted']
  const shown = await calctl(line)
  expect(shown.err).toBe(
    'left out 4 events that are drafts, private, hidden or protected; to write them too, add --with private\n',
  )
  for (const title of hidden) expect(shown.out).not.toContain(title)
  const asked = await calctl(`${line} --with private`)
  expect(asked.err).toBe('')
  for (const title of hidden) expect(asked.out).toContain(title)
  expect(asked.out).toContain('Rehearsal (draft)')
  // What is not public has no page that readers could open.
  expect(asked.out).not.toMatch(/Rehearsal[^\n]*http|http[^\n]*Rehearsal/)
  expect((await calctl(`${line} --status draft`)).out).toBe('')
})

test.each(both)('a newsletter names no venue that is a draft: %s', async line => {
  const { calctl } = await town()
  await calctl(['venues', 'create', '--venue', 'Sala secreta', '--address', 'Carrer amagat 1', '--status', 'draft'])
  const event = [
    '--title',
    'Recital',
    '--start-date',
    '2026-11-25 19:00',
    '--duration',
    '1h',
    '--venue',
    'Sala secreta',
  ]
  await calctl(['events', 'create', ...event])
  const { out } = await calctl(line)
  expect(out).toContain('Recital')
  expect(out).not.toMatch(/secreta|amagat/)
  expect((await calctl(`${line} --with private`)).out).toContain('Sala secreta, Carrer amagat 1')
})

test('--with private adds the same to a sheet', async () => {
  const { calctl } = await town()
  for (const command of ['agenda', 'month']) {
    expect((await calctl(`${command} --html - -q`)).out).not.toContain('Rehearsal')
    expect(await calctl(`${command} --html - --with private`)).toMatchObject({
      err: '',
      out: expect.stringContaining('Rehearsal'),
    })
  }
})

test.each(both)('a cancelled event is marked, by its status or by its title: %s', async line => {
  const { calctl } = await town()
  expect(await calctl('events cancel 3 --yes')).toMatchObject({ status: 0 })
  const { out } = await calctl(line)
  expect(out).toMatch(/CANCELLED: |\(cancelled\)/)
})

test('a title cannot bring tags, links or marks into a newsletter', async () => {
  const { calctl } = await town()
  const title = '<img src=x onerror=a()> *b* [c](javascript:d()) `e` _f_ &lt;g&gt; "h" # | \\'
  const added = await calctl([
    'events',
    'create',
    '--title',
    title,
    '--start-date',
    '2026-11-25 10:00',
    '--duration',
    '1h',
  ])
  expect(added.status).toBe(0)
  for (const command of commands) {
    const html = await calctl(`${command} -o html`)
    expect(html.out).toContain('*b* [c](javascript:d()) `e` _f_ &lt;g&gt; &quot;h&quot;')
    expect(html.out).not.toContain('<img')
    expect(html.out).not.toMatch(/href="(?!https?:)/)
    const markdown = await calctl(`${command} -o markdown`)
    expect(markdown.out).toContain('\\*b\\* \\[c\\](javascript:d()) \\`e\\` \\_f\\_ \\<g\\> "h" \\# \\| \\\\')
    expect(markdown.out).toContain('\\<img src=x onerror=a()\\>')
  }
})

test.each([
  ['ca', 'Diumenge, 22 de novembre', 'tot el dia', 'esborrany'],
  ['es', 'Domingo, 22 de noviembre', 'todo el día', 'borrador'],
  ['en', 'Sunday 22 November', 'all day', 'draft'],
] as const)('a newsletter is in the language of the content: %s', async (language, day, allDay, draft) => {
  const { calctl } = await town({ language })
  for (const line of both) {
    const { out } = await calctl(`${line} --with private`)
    expect(out).toContain(day)
    expect(out).toContain(allDay)
    expect(out).toContain(`(${draft})`)
  }
})

test.each(['agenda --on 2026-12-01', 'month 2027-05'])(
  'without events there is a notice and no text: %s',
  async line => {
    const { calctl } = await town()
    for (const form of forms)
      expect(await calctl(`${line} -o ${form}`)).toMatchObject({
        status: 0,
        out: '',
        err: expect.stringMatching(/^no events/),
      })
  },
)

test('a newsletter is a form of agenda and month alone, has no fields, and is no sheet', async () => {
  const { calctl, seen } = await town()
  for (const form of forms) {
    expect(await calctl(`events list -o ${form}`)).toMatchObject({
      status: 2,
      err: `error: calctl events list cannot print ${form}\nhint: write days with their events with: calctl agenda -o ${form}\n`,
    })
    expect(await calctl(`agenda -o ${form} --fields title`)).toMatchObject({ status: 2 })
    expect(await calctl(`month -o ${form} --html -`)).toMatchObject({ status: 2 })
  }
  expect((await calctl('agenda -o html --with drafts')).status).toBe(2)
  expect(seen).toEqual([])
})
