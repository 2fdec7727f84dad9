import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { openEmbedded } from '../support/program.ts'
import { testTime, worldOf } from '../support/world.ts'

const venues = [
  { venue: 'Teatre Principal', address: 'Carrer Major, 12', city: 'Girona', phone: '+34 972 000 111' },
  { venue: 'T. Principal', address: 'C/ Major 12', city: 'Girona', website: 'https://teatre.example' },
  { venue: 'TEATRE PRINCIPAL', city: 'Girona', phone: '972000111', description: 'Since 1860' },
  { venue: 'Biblioteca Nord', address: 'Plaça Nova, 1', city: 'Girona' },
  { venue: 'Biblioteca Sud', address: 'Plaça Nova, 1', city: 'Girona' },
  { venue: 'Plaça Major', city: 'Salt', phone: '972 111 111' },
  { venue: 'Pl. Major', city: 'Salt', phone: '972 222 222' },
  { venue: 'Ateneu' },
  { venue: 'Ateneo' },
]

async function town(options: Parameters<typeof calendar>[0] = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const calctl = calendar({ ...options, cwd: folder })
  for (const venue of venues)
    expect(await calctl(['venues', 'create', '--if-exists', 'create', '--data', JSON.stringify(venue)])).toMatchObject({
      status: 0,
    })
  for (const venue of [2, 3])
    await calctl(
      `events create --title Jazz${venue} --start-date "2027-01-0${venue} 19:00" --end-date "2027-01-0${venue} 21:00" --venue ${venue}`,
    )
  return { calctl, project: join(folder, '.calctl.json') }
}

const idsOf = async (calctl: ReturnType<typeof calendar>) =>
  (await calctl('venues list --all -o ids')).out.trim().split('\n').map(Number).toSorted()

test('pairs are listed with how sure they are and why, and the status says that there are some', async () => {
  const { calctl } = await town()
  const { status, out, err } = await calctl('dedupe venues')
  expect({ status, out, err }).toMatchInlineSnapshot(`
    {
      "err": "merge a pair with: calctl venues merge 1 3; decide pair by pair with: calctl dedupe venues --review
    ",
      "out": "0.998	venues	1	Teatre Principal	3	TEATRE PRINCIPAL	same phone, same city, same name
    0.95	venues	6	Plaça Major	7	Pl. Major	different phones, same city, same name
    0.95	venues	2	T. Principal	3	TEATRE PRINCIPAL	same city, name 0.98
    0.95	venues	1	Teatre Principal	2	T. Principal	same address, same city, name 0.98
    ",
      "status": 1,
    }
  `)
  const [pair] = JSON.parse((await calctl('dedupe --limit 1 --json')).out)
  expect(pair).toMatchObject({
    resource: 'venues',
    score: expect.any(Number),
    first: { id: 1 },
    second: { id: 3 },
    why: 'same phone, same city, same name',
  })
  expect((await calctl('dedupe venues --threshold 0.98 -o count')).out).toBe('1\n')
})

test('a calendar without duplicates has none, and the status is 0', async () => {
  const { calctl } = await town()
  expect(await calctl('dedupe events tags categories organizers')).toEqual({
    status: 0,
    out: '',
    err: 'no duplicates found\n',
  })
})

test('--yes merges what is sure, and an undo takes it back', async () => {
  const { calctl } = await town()
  const before = (await calctl('venues list --all --json')).out
  const { status, err } = await calctl('dedupe venues --yes')
  expect({ status, err }).toMatchInlineSnapshot(`
    {
      "err": "3 less certain pairs were not merged; decide with --review
    2 to update, 1 to move to the trash
    - venue "TEATRE PRINCIPAL" (3): merged into venue 1
    3 done. Undo: calctl undo 26f
    ",
      "status": 0,
    }
  `)
  expect(await idsOf(calctl)).toEqual([1, 2, 4, 5, 6, 7, 8, 9])
  expect(JSON.parse((await calctl('venues get 1 --json')).out)).toMatchObject({
    description: expect.stringContaining('1860'),
  })
  expect((await calctl('events list --venue 1 --all-dates -o ids')).out).toBe('11\n')
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  const withoutTimes = (text: string) => text.replaceAll(/"modified(_utc)?": "[^"]*"/g, '')
  expect(withoutTimes((await calctl('venues list --all --json')).out)).toBe(withoutTimes(before))
})

test('--dry-run shows the merges that --yes would make', async () => {
  const { calctl } = await town()
  const { status, out } = await calctl('dedupe venues --dry-run')
  expect({ status, out }).toMatchObject({
    status: 0,
    out: expect.stringContaining('- venue "TEATRE PRINCIPAL" (3): merged into venue 1'),
  })
  expect(await idsOf(calctl)).toHaveLength(9)
})

test('a review merges what is the same in one plan, and never asks again about what is not', async () => {
  const { calctl, project } = await town({ terminal: 100, keys: ['m\r', 'n\r', 'r\r', 'y\r'] })
  writeFileSync(project, '{\n  "lang": "ca",\n  "lint": {}\n}\n')
  const { status, err } = await calctl('dedupe venues --review')
  expect(status, err).toBe(0)
  expect(err).toMatch(/≠ address +C\/ Major 12 +Carrer Major, 12/)
  expect(await idsOf(calctl)).toEqual([1, 4, 5, 6, 7, 8, 9])
  expect(JSON.parse((await calctl('venues get 1 --json')).out)).toMatchObject({
    description: expect.stringContaining('1860'),
  })
  expect((await calctl('events list --venue 1 --all-dates -o ids')).out).toBe('10\n11\n')
  expect(JSON.parse(readFileSync(project, 'utf8'))).toMatchObject({ lang: 'ca', lint: {}, distinct: {} })
  expect(await calctl('dedupe venues')).toMatchObject({ status: 0, err: 'no duplicates found\n' })
})

test('a review with --dry-run shows the plan, and remembers no answer', async () => {
  const { calctl, project } = await town({ terminal: 100, keys: ['m\r', 'n\r', 's\r', 'q\r'] })
  const { status, out, err } = await calctl('dedupe venues --review --dry-run')
  expect(status, err).toBe(0)
  expect(out).toContain('merged into venue 1')
  expect(existsSync(project)).toBe(false)
  expect(await idsOf(calctl)).toHaveLength(9)
})

test('what is not the same is remembered without the path of a calendar file, and pairs below a path are still read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'town.json')
  const project = join(folder, '.calctl.json')
  const calctl = worldOf({
    cwd: folder,
    terminal: 100,
    keys: ['n\r'],
    env: { CALCTL_BASE_URL: 'file:town.json', HOME: folder },
    openCalendar: (place, onlyReads, notice) => openEmbedded(place, () => testTime, { onlyReads, notice }),
  })
  for (const name of ['Jazz', 'Blues', 'Teatre Principal', 'Teatre Principall'])
    await calctl(['venues', 'create', '--venue', name])
  const earlier = { [pathToFileURL(file).href]: { venues: [[1, 2]], tags: [[8, 9]] } }
  writeFileSync(project, JSON.stringify({ distinct: earlier }))
  expect(await calctl('dedupe venues --review')).toMatchObject({ status: 0 })
  const { distinct } = JSON.parse(readFileSync(project, 'utf8'))
  expect(readFileSync(project, 'utf8')).not.toContain(folder)
  expect(Object.entries(distinct)).toEqual([
    [
      expect.stringMatching(/^file:sha256-/),
      {
        venues: [
          [1, 2],
          [3, 4],
        ],
        tags: [[8, 9]],
      },
    ],
  ])
  expect(await calctl('dedupe venues')).toMatchObject({ status: 0 })
  writeFileSync(project, JSON.stringify({ distinct: { [pathToFileURL(file).href]: { venues: [[3, 4]] } } }))
  expect(await calctl('dedupe venues')).toMatchObject({ status: 0 })
})

test('what is not the same in a calendar file is known by whatever path it is named, and where its folder was moved', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'work', 'data'), { recursive: true })
  const at = (cwd: string, path: string) =>
    worldOf({
      cwd,
      terminal: 100,
      keys: ['n\r'],
      env: { CALCTL_BASE_URL: `file:${path}`, HOME: folder },
      openCalendar: (place, onlyReads, notice) => openEmbedded(place, () => testTime, { onlyReads, notice }),
    })
  const work = join(folder, 'work')
  for (const venue of ['Teatre Principal', 'Teatre Principall'])
    await at(work, 'data/town.json')(['venues', 'create', '--venue', venue])
  expect(await at(work, 'data/town.json')('dedupe venues --review')).toMatchObject({ status: 0 })
  symlinkSync(work, join(folder, 'link'))
  const found = { status: 0, err: 'no duplicates found\n' }
  expect(await at(work, join(folder, 'link', 'data', 'town.json'))('dedupe venues')).toMatchObject(found)
  expect(await at(join(folder, 'link', 'data'), 'town.json')('dedupe venues')).toMatchObject(found)
  rmSync(join(folder, 'link'))
  renameSync(work, join(folder, 'moved'))
  expect(await at(join(folder, 'moved'), 'data/town.json')('dedupe venues')).toMatchObject(found)
})

test('an answer that is none is refused with the letters, and the line is empty again', async () => {
  const { calctl } = await town({ terminal: 100, keys: [['y\r', '> ', 's\r'], 'q\r'] })
  const { status, err } = await calctl('dedupe venues --review')
  expect(err).toMatch(/^l: keep left, r: keep right, m: merge, n: not the same, s: skip, q: stop\n\n1 of 4: /)
  expect([status, err]).toEqual([
    0,
    expect.stringContaining('> l: keep left, r: keep right, m: merge, n: not the same, s: skip, q: stop'),
  ])
})

test('lint suggests the merges that dedupe does', async () => {
  const calctl = calendar()
  const at = '--start-date "2027-04-05 20:00" --duration 2h'
  await calctl(`events create --title Hamlet ${at} --description Drama`)
  await calctl(`events create --title HAMLET ${at} --description Drama --cost 12 --slug hamlet-2`)
  await calctl('venues create --venue Ateneu --city Girona')
  await calctl('venues create --venue ATENEU --city Girona --description "Since 1860" --if-exists create')
  const merges = (text: string) => text.match(/\w+ merge \d+ \d+/g)
  const suggested = merges((await calctl('lint --only double')).out)
  expect(suggested).toEqual(['venues merge 4 3', 'events merge 2 1'])
  for (const merge of suggested ?? [])
    expect(merges((await calctl(`dedupe ${merge.split(' ')[0]}`)).err)).toEqual([merge])
})

test('a missing letter is found in words of any length', async () => {
  const calctl = calendar()
  for (const name of ['Ateneu', 'Atneu', 'Obradors', 'Obrdors', 'Escoles', 'Escles', 'Exposicions', 'Expsicions'])
    await calctl(['venues', 'create', '--data', JSON.stringify({ venue: name, city: 'Girona' })])
  const { out } = await calctl('dedupe venues -o csv --fields first.title,second.title')
  const pairs = ['Exposicions,Expsicions', 'Escoles,Escles', 'Ateneu,Atneu', 'Obradors,Obrdors']
  expect(out.trim().split('\n').slice(1).toSorted()).toEqual(pairs.toSorted())
})

test('tags of three and four letters are a pair for a review if one of them lacks a letter', async () => {
  const calctl = calendar()
  for (const name of ['Rock', 'Rok', 'Art', 'Arts', 'Jazz', 'Jam', 'Ball', 'Bal', 'Folk', 'Fol1'])
    await calctl(['tags', 'create', '--name', name])
  const { out } = await calctl('dedupe tags -o csv --fields score,first.title,second.title')
  expect(out).toBe('score,first.title,second.title\n0.731,Ball,Bal\n0.731,Rock,Rok\n')
})

test.each([
  ['dedupe venues --review', 8, 'cannot ask about pairs without a terminal'],
  ['dedupe --yes', 2, 'cannot merge several resources at once'],
  ['dedupe venues --yes --lang all', 2, '--lang all and --yes cannot be used together'],
  ['dedupe venues --threshold 98', 2, 'a number from 0 to 1'],
  ['dedupe places', 2, 'places'],
])('%s is refused', async (line, status, message) => {
  const { calctl } = await town()
  expect(await calctl(line)).toMatchObject({ status, err: expect.stringContaining(message) })
})

test('a project file with something else in "distinct" is refused, and not overwritten', async () => {
  const { calctl, project } = await town()
  writeFileSync(project, '{"distinct":[1]}')
  expect(await calctl('dedupe venues')).toMatchObject({
    status: 3,
    err: expect.stringContaining('distinct: expected pairs'),
  })
})

test('--lang all lists the pairs of each language that the calendar has, and never pairs of translations', async () => {
  const calctl = calendar()
  for (const lang of ['ca', 'es'])
    for (const venue of ['Casino', 'El Casino']) await calctl(['venues', 'create', '--lang', lang, '--venue', venue])
  const { status, out, err } = await calctl('dedupe venues --lang all --json')
  expect(status, err).toBe(1)
  expect(JSON.parse(out).map(({ first, second }: Record<string, { id: number }>) => [first?.id, second?.id])).toEqual([
    [1, 2],
    [3, 4],
  ])
  expect((await calctl('dedupe venues --lang all --limit 1')).err).toContain('calctl venues merge 1 2 --lang ca;')
  expect((await calctl('dedupe venues --lang es')).err).toContain('calctl venues merge 3 4 --lang es')
})
