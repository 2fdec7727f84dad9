import { spawn, spawnSync } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { openEmbedded } from '../support/program.ts'
import { skipped } from '../support/skipped.ts'
import { worldOf } from '../support/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'calctl-odd-files-'))
afterAll(() => rmSync(folder, { recursive: true }))

const env = { XDG_STATE_HOME: join(folder, 'state') }

const real = worldOf({
  env,
  cwd: folder,
  openCalendar: (place, onlyReads, notice) => openEmbedded(place, () => new Date(), { onlyReads, notice }),
})

test.each(['/dev/zero', '/dev/urandom', '/dev/tty', folder])('%s is no file for any argument', async device => {
  for (const line of [
    `tags list --base-url file:${device}`,
    `serve --port 0 --file ${device}`,
    `diff --exit-code ${device} --format csv`,
    `apply ${device} --format csv --yes`,
    `tags create --data @${device}`,
    `tags create --from ${device}`,
    `serve --port 0 --memory --users-file ${device}`,
    `tags list --base-url http://127.0.0.1:1 --ca-file ${device}`,
  ]) {
    const { status, err } = await real(line)
    expect({ line, status, err }).toMatchObject({ status: expect.toSatisfy(one => one === 2 || one === 3) })
    expect(err).toMatch(/error: .*(is not a file|it is a directory)/)
  }
})

const lacksProc = !existsSync('/proc/self/pagemap')

test.skipIf(lacksProc).each([
  ['/proc/new.json', '/proc takes no new files'],
  ['/sys/new.json', '(no permission to write to it|the disk is read-only)'],
])(`a calendar is not created as %s, with the reason${skipped(lacksProc, 'no /proc')}`, async (path, reason) => {
  const { status, err } = await real(`serve --port 0 --file ${path}`)
  expect([status, err]).toEqual([
    3,
    expect.stringMatching(`^error: cannot use ${path} as a calendar: ${reason}\nhint: name another file`),
  ])
})

test.skipIf(lacksProc).each(['/proc/self/pagemap', '/proc/self/mem', '/proc/kmsg'])(
  `%s, a file of the system that may have no end, is not read by any argument${skipped(lacksProc, 'no /proc')}`,
  async path => {
    const project = mkdtempSync(join(folder, 'project-'))
    symlinkSync(path, join(project, '.calctl.json'))
    for (const [line, calctl] of [
      [`tags list --base-url file:${path}`, real],
      [`serve --port 0 --file ${path}`, real],
      [`diff ${path}`, real],
      [`apply ${path} --format yaml --yes`, real],
      [`tags create --data @${path}`, real],
      [`tags create --from ${path}`, real],
      [`serve --port 0 --memory --users-file ${path}`, real],
      [`tags list --base-url http://127.0.0.1:1 --ca-file ${path}`, real],
      ['tags list', worldOf({ env, cwd: project })],
    ] as const) {
      const { status, err } = await calctl(line)
      expect({ line, status, err }).toMatchObject({ status: expect.toSatisfy(one => one === 2 || one === 3) })
      expect(err).toMatch(/error: .*it is not a file on a disk/)
    }
  },
)

test('a pipe is read like a file', async () => {
  const pipe = join(folder, 'pipe.csv')
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
  spawn('sh', ['-c', `printf 'resource,name\\ntags,Jazz\\n' > ${pipe}`])
  expect(await calendar({ env })(`diff --exit-code ${pipe}`)).toMatchObject({
    status: 1,
    out: expect.stringContaining('+ tag "Jazz"'),
  })
})

test('a pipe is no calendar, no journal and no file of settings, and nobody waits for its end', async () => {
  const pipe = join(folder, 'town.json')
  const journal = join(folder, 'village.json.journal')
  const project = join(folder, 'project')
  const config = join(folder, 'config/calctl')
  for (const path of [project, config]) mkdirSync(path, { recursive: true })
  for (const path of [pipe, journal, join(project, '.calctl.json'), join(config, 'config.json')])
    expect(spawnSync('mkfifo', [path]).status).toBe(0)
  writeFileSync(join(folder, 'village.json'), '{"calctl":1}')
  const withProfile = worldOf({ env: { ...env, XDG_CONFIG_HOME: join(folder, 'profiles') }, cwd: folder })
  await withProfile(`profiles add town --base-url file:${pipe}`)
  expect(await withProfile('serve --port 0 --from town')).toMatchObject({
    status: 3,
    err: expect.stringContaining('it is a pipe'),
  })
  for (const line of [
    `tags list --base-url file:${pipe}`,
    `tags create --name Jazz --base-url file:${pipe}`,
    `serve --port 0 --file ${pipe}`,
    `serve --port 0 --memory --file ${pipe}`,
    'tags list --base-url file:village.json',
    'serve --port 0 --file village.json',
  ]) {
    const { status, err } = await real(line)
    expect([line, status, err]).toEqual([
      line,
      3,
      expect.stringMatching(/^error: cannot open .*: it is a pipe\nhint: /),
    ])
  }
  const inProject = worldOf({ env, cwd: project })
  expect(await inProject('tags list')).toMatchObject({
    status: 3,
    err: expect.stringMatching(/\.calctl\.json: it is a pipe\nhint: /),
  })
  const configured = worldOf({ env: { ...env, XDG_CONFIG_HOME: join(folder, 'config') } })
  for (const line of ['profiles list', 'profiles add x --base-url http://x.test', 'tags list'])
    expect(await configured(line)).toMatchObject({
      status: 3,
      err: expect.stringMatching(/^error: cannot read .*config\.json: it is a pipe\nhint: /),
    })
})

test('files of settings have a bound', async () => {
  const [project, config] = [join(folder, 'large-project'), join(folder, 'large-config/calctl')]
  for (const path of [project, config]) mkdirSync(path, { recursive: true })
  for (const file of [join(project, '.calctl.json'), join(config, 'config.json')])
    writeFileSync(file, ' '.repeat(1 << 21))
  expect(await worldOf({ env, cwd: project })('tags list')).toEqual({
    status: 3,
    out: '',
    err: `error: ${join(project, '.calctl.json')}: it is larger than 1 MB\nhint: fix it, or remove it\n`,
  })
  expect(await worldOf({ env: { ...env, XDG_CONFIG_HOME: join(folder, 'large-config') } })('tags list')).toEqual({
    status: 3,
    out: '',
    err: `error: cannot read ${join(config, 'config.json')}: it is larger than 1 MB\nhint: replace it with a configuration file\n`,
  })
})

test.each(['itself', 'a hard link', 'a symbolic link'])(
  'diff --save does not overwrite its input, named by %s',
  async name => {
    const input = join(folder, 'empty.ndjson')
    const other = name === 'itself' ? input : join(folder, `${name.replace(/\W/g, '-')}.json`)
    writeFileSync(input, '')
    if (name === 'a hard link') linkSync(input, other)
    if (name === 'a symbolic link') symlinkSync(input, other)
    expect(await calendar({ env })(`diff ${input} --save ${other}`)).toEqual({
      status: 2,
      out: '',
      err: `error: --save: ${other} is the file that is read\nhint: name another file\n`,
    })
  },
)

test('lists as CSV and TSV are as safe for spreadsheets as exports', async () => {
  const calctl = calendar({ env })
  const formulas = ['=1+1', '+34', '-2', '@sum', '＝1', "'=1"]
  for (const name of formulas) expect(await calctl(['tags', 'create', '--name', name])).toMatchObject({ status: 0 })
  const exported = (await calctl('export tags -o csv')).out.match(/'+[=+\-@＝].*?(?=,)/g)
  for (const form of ['csv', 'tsv']) {
    const { out } = await calctl(`tags list -o ${form} --fields name --no-hide-empty`)
    expect(out.trim().split('\n').slice(1).toSorted()).toEqual(exported?.toSorted())
  }
  // A pipe without -o is for programs, which take the text as it is.
  expect((await calctl('tags list --fields name --no-hide-empty')).out).toContain('\n=1+1\n')
})

test('names that differ only in how their accents are composed are one name', async () => {
  const calctl = calendar({ env })
  const [composed, decomposed] = ['Cafè de la Ràpita'.normalize('NFC'), 'Cafè de la Ràpita'.normalize('NFD')]
  for (const [noun, field] of [
    ['tags', 'name'],
    ['categories', 'name'],
    ['venues', 'venue'],
    ['organizers', 'organizer'],
  ] as const) {
    expect(await calctl([noun, 'create', `--${field}`, composed])).toMatchObject({ status: 0 })
    const file = join(folder, `${noun}.csv`)
    writeFileSync(file, `resource,${field}\n${noun},${decomposed}\n`)
    expect(await calctl(`diff --exit-code ${file}`)).toMatchObject({ status: 0 })
  }
  const event = ['events', 'create', '--title', 'a', '--start-date', '2026-12-05', '--end-date', '2026-12-05']
  expect(
    await calctl([
      ...event,
      '--venue',
      decomposed,
      '--organizer',
      decomposed,
      '--tags',
      decomposed,
      '--categories',
      decomposed,
    ]),
  ).toMatchObject({ status: 0 })
  for (const noun of ['tags', 'categories', 'venues', 'organizers'])
    expect((await calctl(`${noun} list -o count`)).out).toBe('1\n')
  const rows = join(folder, 'events.csv')
  writeFileSync(
    rows,
    `title,start_date,end_date,venue\n${composed},2026-12-06,2026-12-06,${composed}\n${decomposed},2026-12-06,2026-12-06,${decomposed}\n`,
  )
  expect(await calctl(`apply ${rows} --yes`)).toMatchObject({ status: 2, err: expect.stringContaining('row 2') })
  writeFileSync(rows, `title,start_date,end_date\n${composed},2026-12-06,2026-12-06\n`)
  expect(await calctl(`apply ${rows} --yes`)).toMatchObject({ status: 0 })
  writeFileSync(rows, `title,start_date,end_date\n${decomposed},2026-12-06,2026-12-06\n`)
  expect(await calctl(`diff --exit-code ${rows}`)).toMatchObject({ status: 0 })
})

test('a name that is too long for a file is one that cannot be read', async () => {
  const name = 'x'.repeat(5000)
  for (const line of [`diff ${name} --format csv`, `apply ${name} --yes`, `tags create --from ${name}`]) {
    const { status, err } = await real(`${line} --demo`)
    expect([line, status]).toEqual([line, 2])
    expect(err).toMatch(/^error: cannot read x+/)
  }
})
