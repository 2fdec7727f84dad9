import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { speak } from '../../src/base/words/phrase.ts'
import type { Rule } from '../../src/care/lint/rule.ts'
import { rules } from '../../src/care/lint/rules.ts'
import { demoRows } from '../../src/service/demo/demo.ts'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import { png } from '../images/png.ts'
import { calendar } from '../support/calendar.ts'
import { json, type Stage, stagedSite } from '../support/staged-site.ts'
import { testTime, worldOf } from '../support/world.ts'
import { multilingualSite } from '../translations/multilingual-site.ts'

const demo = () => {
  const { site, rows } = demoRows(testTime)
  return createService({
    store: memoryStore(site, rows),
    now: () => testTime,
    baseUrl: 'http://demo.test',
    namespace: 'calendar/events/v1',
  })
}

/** A calendar with one event in the past that is still featured, and one that ends when it starts. */
async function faultyCalendar(cwd?: string) {
  const calctl = calendar(cwd === undefined ? {} : { cwd })
  await calctl('venues create --venue "Sala Gran" --city Girona --address "Carrer Nou, 1"')
  await calctl(
    'events create --title Fira --start-date "2026-03-01 10:00" --duration 2h --venue 1 --featured --description Parades',
  )
  await calctl(
    'events create --title Concert --start-date "2026-12-05 19:00" --end-date "2026-12-05 19:00" --venue 1 --description Jazz',
  )
  return calctl
}

test('lint repeats its filters in the command that fixes or shows the rest', async () => {
  const calctl = await faultyCalendar()
  const typed = `events --lang all --where 'title~a' --only past-featured,zero-length --featured --from 2026-01-01`
  expect((await calctl(`lint ${typed}`)).err).toMatch(
    / 1 is fixable: calctl lint events --fix --only past-featured,zero-length --from 2026-01-01 --where title~a --featured --lang all\n$/,
  )
  const rest = `lint --fix --yes --lang ca --no-featured --only zero-length --jobs 2`
  expect((await calctl(rest)).err).toContain(
    '1 warning needs a decision; see: calctl lint --only zero-length --no-featured --lang ca\n',
  )
})

test('lint names what is wrong with each record, and what to type, and exits with 1', async () => {
  const calctl = await faultyCalendar()
  expect(await calctl('lint')).toEqual({
    status: 1,
    out: [
      '"Fira", Sun 1 Mar 10:00, Sala Gran (2)\n',
      '  warning: is over and still featured [past-featured] (fixable)\n',
      '"Concert", Sat 5 Dec 19:00, Sala Gran (3)\n',
      '  warning: ends when it starts [zero-length]\n',
      '    calctl events update 3 --duration 2h\n',
    ].join(''),
    err: '2 warnings in 2 events and 1 venue; 1 is fixable: calctl lint --fix\n',
  })
})

test('a calendar without problems ends with 0', async () => {
  const calctl = calendar()
  await calctl('tags create --name Jazz')
  expect(await calctl('lint')).toEqual({ status: 0, out: '', err: 'no problems found in 1 tag\n' })
})

test('filters say which records are looked at, and leave out resources that they do not select from', async () => {
  const calctl = await faultyCalendar()
  const { out, err } = await calctl('lint --month 2026-12')
  expect(out).toContain('"Concert"')
  expect(out).not.toContain('"Fira"')
  expect(err).toBe('1 warning in 1 event\n')
  expect((await calctl('lint venues')).err).toBe('no problems found in 1 venue\n')
  expect((await calctl("lint --where 'title~fira' --only zero-length")).status).toBe(0)
})

test('--fail-on says from which severity on the exit status is 1', async () => {
  const calctl = await faultyCalendar()
  expect((await calctl('lint --fail-on error -q')).status).toBe(0)
  expect((await calctl('lint events --only missing-image --fail-on info -q')).status).toBe(1)
  expect((await calctl('lint events --only missing-image -q')).status).toBe(0)
})

test('what could be better is listed only with --severity info', async () => {
  const calctl = await faultyCalendar()
  expect((await calctl('lint')).out).not.toContain('missing-image')
  expect((await calctl('lint --severity info')).out).toContain('info: has no image [missing-image]')
})

test('a rule that does not exist is refused, with the nearest one', async () => {
  const calctl = calendar()
  expect(await calctl('lint --only mising-image')).toEqual({
    status: 2,
    out: '',
    err: 'error: no rule "mising-image"\nhint: did you mean missing-image?\n',
  })
})

const project = (settings: unknown): string => {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-lint-'))
  writeFileSync(join(folder, '.calctl.json'), JSON.stringify(settings))
  return folder
}

test('the project file turns rules off, changes their severity and their thresholds', async () => {
  const rules = { 'past-featured': 'off', 'zero-length': 'error', 'too-long': ['warning', { days: 1 }] }
  const calctl = await faultyCalendar(project({ lint: { rules } }))
  const { out } = await calctl('lint')
  expect(out).not.toContain('past-featured')
  expect(out).toContain('  error: ends when it starts [zero-length]')
  await calctl('events update 3 --end-date "2026-12-09 19:00"')
  expect((await calctl('lint')).out).toContain('warning: lasts 4 days [too-long]')
})

test.each([
  [{ rules: { 'too-lang': 'off' } }, 'lint.rules: no rule "too-lang"', 'did you mean too-long?'],
  [
    { rules: { 'too-long': 'loud' } },
    'lint.rules.too-long: expected one of error, warning, info or off',
    'for example',
  ],
  [{ rules: { 'too-long': ['warning', { hours: 2 }] } }, 'lint.rules.too-long: no threshold "hours"', 'it has days'],
  [{ rules: { 'too-long': ['warning', { days: '2' }] } }, 'lint.rules.too-long.days: expected a number', 'for example'],
  [{ rule: {} }, 'lint: unknown key "rule"', 'for example'],
])('settings that cannot be understood are refused with their place: %j', async (lint, message, hint) => {
  const { status, err } = await worldOf({ cwd: project({ lint }) })('lint --demo')
  expect(status).toBe(3)
  expect(err).toContain(`.calctl.json: ${message}`)
  expect(err).toContain(`hint: ${hint}`)
})

test('lint --rules lists the rules as they are set, with why they are there', async () => {
  const calctl = worldOf({ cwd: project({ lint: { rules: { 'too-long': ['error', { days: 9 }] } } }) })
  expect((await calctl('lint --rules --only too-long')).out).toMatch(
    /^too-long \(error; days 9\)\n {2}Finds: .+\n {2}Why: .+\n {2}Remedy: .+\n$/,
  )
  const rows = JSON.parse((await calctl('lint --rules -o json')).out)
  expect(rows.find(({ rule }: { rule: string }) => rule === 'too-long')).toMatchObject({
    severity: 'error',
    thresholds: { days: 9 },
  })
})

test('what a plan takes is refused without --fix', async () => {
  expect(await calendar()('lint --dry-run')).toEqual({
    status: 2,
    out: '',
    err: 'error: --dry-run has no effect without --fix\nhint: add --fix, or leave it out\n',
  })
})

test('the demo has no problems, in any language', async () => {
  const { status, out } = await worldOf({ transport: demo() })('lint --lang all')
  expect({ status, out }).toEqual({ status: 0, out: '' })
})

test('options of a plan need --fix', async () => {
  expect(await calendar()('lint --jobs 2')).toMatchObject({
    status: 2,
    err: expect.stringContaining('--jobs has no effect without --fix'),
  })
})

test('Tab offers the rules, with what they find', async () => {
  const { out } = await worldOf({})(['__complete', '--', 'lint', '--only', 'mojibake,too-'])
  expect(out).toContain('mojibake,too-long\tan event lasts longer than a year\n')
})

const page = readFileSync(join(import.meta.dirname, '../../docs/lint.md'), 'utf8')

const row = ({ id, level, finds, limits = {}, fixes }: Rule): string => {
  const thresholds = Object.entries(limits).map(([name, value]) => `${name} ${value}`)
  const remarks = [...(fixes ? ['fixable'] : []), ...thresholds]
  return `| \`${id}\` | ${level} | ${finds().replaceAll('&', '&amp;').replaceAll('<', '&lt;')} | ${remarks.join(', ')} |`
}

test('docs/lint.md has all rules in a table, as they are', () => {
  const table = ['| Rule | Severity | Finds | |', '| --- | --- | --- | --- |', ...rules.map(row)].join('\n')
  expect(page).toContain(`${table}\n`)
})

test.each(['ca', 'es'] as const)('docs/%s/lint.md says of each rule what calctl says', language => {
  const folder = join(import.meta.dirname, '../..')
  const translation = readFileSync(join(folder, `docs/${language}/lint.md`), 'utf8')
  speak(language, JSON.parse(readFileSync(join(folder, `src/base/words/${language}.json`), 'utf8')))
  const beginnings = rules.map(rule => row(rule).replace(/[^|]*\|$/, ''))
  speak('en')
  expect(beginnings.filter(beginning => !translation.includes(`\n${beginning}`))).toEqual([])
})

test('each rule says what it finds, why, and how to put it right', () => {
  for (const { id, finds, why, remedy, fixes, check } of rules) {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    for (const text of [finds(), why(), remedy()]) expect(text, id).toMatch(/^[^.]*[^.\s]$/s)
    if (fixes)
      expect({ id, remedy: remedy(), check: typeof check }).toMatchObject({ remedy: expect.stringContaining('--fix') })
  }
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
})

const event = (lang: string, title: string, description: string) =>
  `events create --lang ${lang} --title "${title}" --slug concert --start-date "2036-12-05 19:00" --duration 2h --description "${description}"`

test('lint needs no word about languages from a site: neither a header, nor in its records', async () => {
  const { calctl, plain } = await multilingualSite({ tells: false, obeys: true })
  await calctl('venues create --lang ca --venue Sala --slug sala --city Girona --address "Nou, 1"')
  await calctl('venues create --lang es --venue Salón --slug sala --city Girona --address "Nou, 1"')
  await calctl(`${event('ca', 'Concert', 'Nadales a quatre veus amb la coral del poble i els seus amics')} --venue 1`)
  await calctl(`${event('es', 'Concierto', 'Villancicos a cuatro voces con la coral y los suyos')} --venue 2`)
  expect(await calctl('lint --lang all')).toMatchObject({
    status: 0,
    out: '',
    err: 'no problems found in 2 events and 2 venues\n',
  })
  expect(await plain('lint --lang all')).toMatchObject({ status: 0, out: '' })
  // A command to type is about the language that was asked for.
  expect((await calctl('lint events --lang es --severity info --only missing-image')).out).toContain(
    '    calctl events update 4 --image FILE --lang es -p site\n',
  )
  await calctl('events update 4 --lang es --start-date "2036-12-05 18:00" --end-date "2036-12-05 20:00"')
  await calctl(
    'events update 4 --lang es --description "Nadales a quatre veus amb la coral del poble i els seus amics de sempre"',
  )
  expect((await calctl('lint --lang all --only translations-differ')).out).toContain(
    'differs from event 3 (Catalan) in start date',
  )
  expect((await calctl('lint --lang es')).out).toContain('has a description in Catalan, and is in Spanish')
})

/** A site with an image that has an alt text, and one that has none, which two events to come and one that is over have. */
async function site(stage: Stage = {}) {
  const staged = await stagedSite(stage)
  writeFileSync(join(staged.folder, 'ball.png'), png(8, 6, 1))
  writeFileSync(join(staged.folder, 'fair.png'), png(8, 6, 2))
  const calctl = staged.calctlWith({}, { cwd: staged.folder })
  const on = (date: string) => `--start-date "${date} 18:00" --duration 2h --description Jazz`
  await calctl(`events create --title Past ${on('2020-03-01')} --image fair.png`)
  await calctl(`events create --title Ball ${on('2099-03-01')} --image ball.png --image-alt "A stage"`)
  await calctl(`events create --title Fair ${on('2099-03-02')} --image fair.png`)
  await calctl(`events create --title "Fair again" ${on('2099-03-03')} --image fair.png`)
  staged.seen.length = 0
  return { ...staged, calctl }
}

const line = 'lint --only featured-image-alt -q'

test('an image without alt text is found once, with the command that describes it', async () => {
  const { calctl, seen } = await site()
  const { status, out } = await calctl(line)
  expect([status, out]).toEqual([
    1,
    '"Fair", Mon 2 Mar 2099 18:00 (5)\n' +
      '  warning: has the image fair.png (1), which has no alt text [featured-image-alt]\n' +
      '    calctl api POST /wp/v2/media/1 -f alt_text=TEXT\n',
  ])
  expect(seen.filter(request => request === 'GET /wp-json/wp/v2/media')).toHaveLength(1)
  await calctl('api POST /wp/v2/media/1 -f alt_text="A stall"')
  expect(await calctl(line)).toMatchObject({ status: 0, out: '' })
})

test('where the site does not show its images, nothing is said of them', async () => {
  const answer: Stage['answer'] = ({ method, url }) =>
    method === 'GET' && url.includes('/wp/v2/media') ? json(403, { code: 'rest_forbidden' }) : undefined
  const { calctl } = await site({ answer })
  expect(await calctl(line)).toMatchObject({ status: 0, out: '' })
})

test('without credentials, images are not asked for', async () => {
  const { seen, calctlWith } = await site()
  expect(await calctlWith({ CALCTL_USER: undefined, CALCTL_PASSWORD: undefined })(line)).toMatchObject({ status: 0 })
  expect(seen.join()).not.toContain('media')
})
