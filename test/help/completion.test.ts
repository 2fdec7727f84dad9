import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { commandTree } from '../support/command-tree.ts'
import { worldOf } from '../support/world.ts'

const newFolder = (prefix: string) => mkdtempSync(join(tmpdir(), prefix))

/** What Tab offers after these words; the last one is being typed. */
async function offered(calctl: ReturnType<typeof worldOf>, ...words: string[]): Promise<string[]> {
  const { status, out, err } = await calctl(['__complete', '--', ...words])
  expect({ status, err }).toEqual({ status: 0, err: '' })
  return out.split('\n').slice(0, -2)
}

const valuesOf = (lines: readonly string[]) => lines.map(line => line.split('\t')[0])

/** A calendar with a venue and two events that was listed on a terminal, and its cache folder. */
async function listedCalendar() {
  const cache = newFolder('tab-')
  const env = { XDG_CACHE_HOME: cache, XDG_STATE_HOME: cache, NO_COLOR: '1' }
  const calctl = calendar({ env, terminal: 100 })
  const day = { start_date: '2026-12-05', end_date: '2026-12-05' }
  await calctl(['venues', 'create', '--venue', 'Plaça Major', '--yes'])
  for (const title of ['Jazz a la plaça', 'Joan & Maria'])
    expect(
      await calctl(['events', 'create', '--data', JSON.stringify({ ...day, title, venue: 1 }), '--yes']),
    ).toMatchObject({ status: 0 })
  await calctl('events list')
  return { calctl, folder: join(cache, 'calctl', 'refs') }
}

test('Tab offers every command of the tree, with what it does', async () => {
  const calctl = worldOf({})
  expect(valuesOf(await offered(calctl, ''))).toEqual(
    expect.arrayContaining(commandTree().commands.map(child => child.name())),
  )
  expect(await offered(calctl, 'events', 'restor')).toEqual(['restore\tRestore events from the trash'])
})

test('Tab offers the options of a command and the global ones, and the words that they take', async () => {
  const calctl = worldOf({})
  expect(valuesOf(await offered(calctl, 'events', 'list', '--starts-'))).toEqual(['--starts-before', '--starts-after'])
  expect(valuesOf(await offered(calctl, 'events', 'list', '--outp'))).toEqual(['--output'])
  expect(valuesOf(await offered(calctl, 'events', 'list', '-o', 'n'))).toEqual(['ndjson'])
  expect(valuesOf(await offered(calctl, 'events', 'list', '--output=n'))).toEqual(['--output=ndjson'])
  expect(valuesOf(await offered(calctl, 'events', 'update', '1', '--status', 'd'))).toEqual(['draft'])
  expect(valuesOf(await offered(calctl, 'events', 'list', '--where', 'venue.ci'))).toEqual(['venue.city'])
  expect(valuesOf(await offered(calctl, 'events', 'list', '--sort', 'cost,titl'))).toEqual(['cost,title'])
  expect((await calctl(['__complete', '--', 'events', 'create', '--image', 'pos'])).out).toBe(':files\n')
  expect(valuesOf(await offered(calctl, 'events', 'list', '--status', 'draft,p'))).toContain('draft,publish')
})

test('Tab offers fields, also within what a record links to, and the elements of a list that are left', async () => {
  const calctl = worldOf({})
  expect(valuesOf(await offered(calctl, 'events', 'list', '--fields', 'id,tit'))).toEqual(['id,title'])
  expect(valuesOf(await offered(calctl, 'events', 'list', '--fields', 'venue.cit'))).toEqual(['venue.city'])
  expect(valuesOf(await offered(calctl, 'events', 'update', '1', '--clear', 'web'))).toEqual(['website'])
})

test('Tab offers languages copy the records of the resource that is named before', async () => {
  const { calctl } = await listedCalendar()
  const resources = ['events', 'venues', 'organizers', 'categories', 'tags']
  const events = ['joan-maria', 'jazz-a-la-placa']
  const copy = async (...words: string[]) => valuesOf(await offered(calctl, 'languages', 'copy', ...words, ''))
  expect((await copy()).toSorted()).toEqual([...resources, ...events].toSorted())
  expect((await copy('events')).toSorted()).toEqual(events.toSorted())
  expect(await copy('venues')).toEqual(['placa-major'])
  expect(await copy('categories')).toEqual([])
})

test('Tab offers days and months in words where they are asked for', async () => {
  const calctl = worldOf({})
  expect(valuesOf(await offered(calctl, 'events', 'list', '--on', 'to'))).toEqual(['today', 'tomorrow'])
  expect(valuesOf(await offered(calctl, 'agenda', '--from', 'sat'))).toEqual(['saturday'])
  expect(valuesOf(await offered(calctl, 'agenda', '--week', 'ne'))).toEqual(['next'])
  expect(valuesOf(await offered(calctl, 'agenda', '--weekend', 'mon'))).toEqual(['monday'])
  for (const words of [['month'], ['agenda', '--month'], ['events', 'list', '--month']])
    expect(valuesOf(await offered(calctl, ...words, 'n'))).toEqual(['next', 'november'])
  expect(await offered(calctl, 'month', 'december', '')).toEqual([])
})

test('Tab offers profiles, commands and topics for help, and files', async () => {
  const config = newFolder('tab-config-')
  const calctl = worldOf({ env: { XDG_CONFIG_HOME: config } })
  await calctl('profiles add town --base-url http://127.0.0.1:1')
  expect(valuesOf(await offered(calctl, 'events', 'list', '-p', ''))).toEqual(['local', 'town'])
  expect(valuesOf(await offered(calctl, 'profiles', 'show', 'to'))).toEqual(['town'])
  expect(valuesOf(await offered(calctl, 'help', 'lan'))).toEqual(['languages'])
  expect((await calctl(['__complete', '--', 'apply', ''])).out).toBe(':files\n')
})

test('Tab offers the records that were listed on a terminal, and what they link to, without a request', async () => {
  const { calctl } = await listedCalendar()
  expect(await offered(calctl, 'events', 'get', 'jaz')).toEqual(['jazz-a-la-placa\tJazz a la plaça, 2026-12-05'])
  expect(await offered(calctl, 'events', 'get', '3')).toEqual(['3\tJoan & Maria, 2026-12-05'])
  expect(valuesOf(await offered(calctl, 'events', 'update', '2', '--venue', 'pla'))).toEqual(['placa-major'])
  expect(await offered(calctl, 'events', 'get', '--demo', 'jaz')).toEqual([])
})

test('Tab finds records by their titles, whatever the case and the accents, and by words within them', async () => {
  const { calctl } = await listedCalendar()
  for (const typed of ['Jazz a la pl', 'JAZ', 'jàzz', 'Plaça', 'la placa'])
    expect(valuesOf(await offered(calctl, 'events', 'get', typed))).toEqual(['jazz-a-la-placa'])
  expect(valuesOf(await offered(calctl, 'events', 'get', 'Maria'))).toEqual(['joan-maria'])
  expect(valuesOf(await offered(calctl, 'events', 'get', 'lac'))).toEqual([])
  expect(valuesOf(await offered(calctl, 'events', 'list', '--venue', 'Plaça'))).toEqual(['placa-major'])
  expect(valuesOf(await offered(calctl, 'events', 'list', '--venue=9,PLAÇ'))).toEqual(['--venue=9,placa-major'])
})

test('Tab offers the comparisons of a field, and then its values', async () => {
  const { calctl } = await listedCalendar()
  const of = async (typed: string) => valuesOf(await offered(calctl, 'events', 'list', '--where', typed))
  expect((await calctl(['__complete', '--', 'events', 'list', '--where', 'websi'])).out).toMatch(
    /^website\t.*\n:open\n$/,
  )
  expect(await of('title')).toEqual(['title=', 'title!=', 'title~', 'title!~'])
  expect(await of('start_date')).toContain('start_date>=')
  expect(await of('featured=')).toEqual(['featured=true', 'featured=false'])
  expect(await of('status=dr')).toEqual(['status=draft'])
  expect(await of('image!=n')).toEqual(['image!=none'])
  expect(await of('cost>n')).toEqual([])
  expect(await of('venue=plaça')).toEqual(['venue=placa-major'])
  expect(await of('venue.city')).toContain('venue.city=')
})

test('Tab offers the runs, the latest first, with what they were and when', async () => {
  const { calctl } = await listedCalendar()
  for (const words of [['undo'], ['redo'], ['runs', 'show'], ['runs', 'resume'], ['runs', 'undo']]) {
    const runs = await offered(calctl, ...words, '')
    expect(runs).toHaveLength(3)
    expect(runs[0]).toMatch(/^[a-z\d]{3}\tevents create, 2026-11-21 03:00$/)
    expect(await offered(calctl, ...words, runs[0]?.slice(0, 3) ?? '')).toEqual([runs[0]])
  }
})

test('what Tab remembers is for the user alone, and only what names a record', async () => {
  const { folder } = await listedCalendar()
  const [file = ''] = readdirSync(folder)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
  const { events } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  expect(Object.keys(events[0])).toEqual(['id', 'slug', 'title', 'day'])
})

test('lists of scripts are not remembered', async () => {
  const cache = newFolder('tab-pipe-')
  const calctl = calendar({ env: { XDG_CACHE_HOME: cache, XDG_STATE_HOME: cache } })
  await calctl('tags create --name Jazz')
  await calctl('tags list --no-hide-empty')
  expect(existsSync(join(cache, 'calctl', 'refs'))).toBe(false)
})

test('with a damaged memory Tab offers no records, and the next list mends it', async () => {
  const { calctl, folder } = await listedCalendar()
  const [file = ''] = readdirSync(folder)
  for (const damage of ['', '{"events":', '[]', '{"events":[{"id":"x"},7,null]}', '{"events":{"id":1}}']) {
    writeFileSync(join(folder, file), damage)
    expect(await offered(calctl, 'events', 'get', 'jaz')).toEqual([])
    await calctl('events list')
    expect(await offered(calctl, 'events', 'get', 'jaz')).toHaveLength(1)
  }
})

test('a slug that a shell would take for more than a word is offered as an ID', async () => {
  const { calctl, folder } = await listedCalendar()
  const [file = ''] = readdirSync(folder)
  const events = [
    { id: 7, slug: '$(reboot)', title: 'a\tb\u001b[2J' },
    { id: 8, slug: 'a;b', title: 'c' },
  ]
  writeFileSync(join(folder, file), JSON.stringify({ events }))
  expect(await offered(calctl, 'events', 'get', '')).toEqual(['7\ta b', '8\tc'])
})

test('Tab answers a line as a shell would split it, whatever is in it', async () => {
  const calctl = worldOf({})
  const lines = [
    'calctl events get "a b" --outp',
    "calctl events list --search 'x y' --outp",
    'calctl events --demo get a\\ b --outp',
  ]
  for (const line of lines)
    expect((await calctl(['__complete', '--line', line])).out).toBe('--output\tOutput format\n:none\n')
  for (const line of ['', 'calctl', 'calctl "', 'calctl events get \\', 'calctl --', 'calctl events list --output='])
    expect((await calctl(['__complete', '--line', line])).status).toBe(0)
})

test('no command of the tree makes Tab fail', async () => {
  const calctl = worldOf({})
  for (const name of ['events', 'tags'])
    for (const verb of commandTree().commands.find(one => one.name() === name)?.commands ?? [])
      for (const option of verb.options) await offered(calctl, name, verb.name(), option.long ?? '', '')
})

const home = () => {
  const folder = newFolder('tab-home-')
  const env = { HOME: folder, XDG_DATA_HOME: join(folder, 'data'), XDG_CONFIG_HOME: join(folder, 'config') }
  return { folder, calctl: worldOf({ env: { ...env, SHELL: '/bin/bash' } }) }
}

test('completion install says what it writes and where, writes it once, and uninstall takes it back', async () => {
  const { folder, calctl } = home()
  const rc = join(folder, '.bashrc')
  writeFileSync(rc, 'alias ll="ls -l"')
  const asked = await calctl('completion install')
  expect(asked.status).toBe(8)
  expect(asked.err).toContain(`will write ${folder}/data/calctl/completion.bash\nwill add to ${rc}: [ -f `)
  expect(readFileSync(rc, 'utf8')).toBe('alias ll="ls -l"')
  expect((await calctl('completion install --yes')).status).toBe(0)
  const text = readFileSync(rc, 'utf8')
  expect(text).toMatch(/^alias ll="ls -l"\n\[ -f '.*completion\.bash' \] && \. '.*' # calctl completion\n$/)
  expect((await calctl('completion install --yes')).err).toBe('completion for bash is already installed\n')
  expect(readFileSync(rc, 'utf8')).toBe(text)
  expect((await calctl('completion uninstall --yes')).status).toBe(0)
  expect(readFileSync(rc, 'utf8')).toBe('alias ll="ls -l"\n')
  expect((await calctl('completion uninstall --yes')).err).toBe('completion for bash is not installed\n')
})

test('completion uninstall leaves no file behind that install made', async () => {
  const { folder, calctl } = home()
  await calctl('completion install --yes')
  await calctl('completion uninstall --yes')
  expect(existsSync(join(folder, '.bashrc'))).toBe(false)
})

test('completion install keeps a startup file that is a link', async () => {
  const { folder, calctl } = home()
  mkdirSync(join(folder, 'dotfiles'))
  writeFileSync(join(folder, 'dotfiles', 'zshrc'), '')
  symlinkSync(join(folder, 'dotfiles', 'zshrc'), join(folder, '.zshrc'))
  await calctl('completion install zsh --yes')
  expect(readFileSync(join(folder, 'dotfiles', 'zshrc'), 'utf8')).toContain('# calctl completion\n')
})

test('completion install for a shell that it does not know names those that it does', async () => {
  const calctl = worldOf({ env: { HOME: newFolder('tab-tcsh-'), SHELL: '/bin/tcsh' } })
  expect(await calctl('completion install')).toMatchObject({
    status: 2,
    err: 'error: unsupported shell: /bin/tcsh\nhint: name one: calctl completion install bash, zsh, fish or powershell\n',
  })
})
