import { describe, expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'

/** Three events on Saturday 5 December, one of them without a venue, and one on Sunday. */
async function season(shape: Parameters<typeof calendar>[0] = {}) {
  const calctl = calendar(shape)
  await calctl('venues create --venue "Teatre Principal"')
  await calctl('venues create --venue "Sala Gran"')
  const create = (title: string, day: string, more = '') =>
    calctl(`events create --title "${title}" --start-date "${day} 19:00" --end-date "${day} 21:00" ${more}`)
  await create('Concert', '2026-12-05', '--venue 1')
  await create('Ball', '2026-12-05', '--venue 1')
  await create('Taller', '2026-12-05')
  await create('Cursa', '2026-12-06', '--venue 2')
  const shown = async (options: string) =>
    (await calctl(`events list -o tsv --fields title,start_date,venue.venue ${options}`)).out.split('\n').slice(1, -1)
  return { calctl, shown }
}

test('what is on Saturday is moved to Sunday in two commands, and back by one', async () => {
  const { calctl, shown } = await season()
  expect(await shown('--on "5 desembre"')).toHaveLength(3)
  const moved = await calctl('events update --on "5 desembre" --shift +1d --yes')
  expect(moved.status).toBe(0)
  expect(moved.err).toContain('3 to update')
  expect(await shown('--on "5 desembre"')).toEqual([])
  expect(await shown('--on 2026-12-06')).toEqual([
    'Concert\t2026-12-06 19:00:00\tTeatre Principal',
    'Ball\t2026-12-06 19:00:00\tTeatre Principal',
    'Taller\t2026-12-06 19:00:00\t',
    'Cursa\t2026-12-06 19:00:00\tSala Gran',
  ])
  expect((await calctl('undo --yes')).status).toBe(0)
  expect(await shown('--on 2026-12-05')).toHaveLength(3)
})

test('update --where gives a venue to the events without one, and to no others', async () => {
  const { calctl, shown } = await season({ quirks: true })
  expect((await calctl('events update --where venue=none --venue "Sala Gran" --yes')).status).toBe(0)
  expect(await shown('--all')).toEqual([
    'Concert\t2026-12-05 19:00:00\tTeatre Principal',
    'Ball\t2026-12-05 19:00:00\tTeatre Principal',
    'Taller\t2026-12-05 19:00:00\tSala Gran',
    'Cursa\t2026-12-06 19:00:00\tSala Gran',
  ])
})

test('delete selects as list does, within the limits of a plan, and restore finds what is in the trash', async () => {
  const { calctl, shown } = await season()
  const refused = await calctl('events delete --on 2026-12-05 --max-trash 2 --yes')
  expect(refused).toMatchObject({ status: 8, err: expect.stringContaining('--max-trash 3') })
  const { status } = await calctl('events delete --on 2026-12-05 --venue "Teatre Principal" --max-trash 2 --yes')
  expect(status).toBe(0)
  expect(await shown('--on 2026-12-05')).toEqual(['Taller\t2026-12-05 19:00:00\t'])
  expect((await calctl('events restore --where title=ball --status publish --yes')).status).toBe(0)
  expect((await shown('--on 2026-12-05')).map(line => line.split('\t')[0])).toEqual(['Ball', 'Taller'])
})

test('export and apply --prune leave the same records alone', async () => {
  const { calctl, shown } = await season()
  const exported = await calctl('export events --on 2026-12-05 --where venue!=none')
  expect(exported.out.trim().split('\n')).toHaveLength(2)
  const [concert = ''] = exported.out.split('\n')
  const options = '--prune --on 2026-12-05 --where venue!=none --max-trash 1 --yes'
  expect((await calctl(`apply ${options} -`, `${concert}\n`)).status).toBe(0)
  expect((await shown('--all')).map(line => line.split('\t')[0])).toEqual(['Concert', 'Taller', 'Cursa'])
})

test('an empty selection changes nothing and says so', async () => {
  const { calctl } = await season()
  for (const command of ['update --featured', 'delete', 'restore']) {
    const { status, err } = await calctl(`events ${command} --where title=nothing --yes`)
    expect({ status, err }).toEqual({ status: 0, err: expect.stringContaining('no events match\n') })
  }
})

test.each([
  ['events delete 3 --on today', '--on and IDs or slugs cannot be used together'],
  ['events update --from events.csv --where venue=none', '--from and --where cannot be used together'],
  ['events delete', 'no records given'],
  ['events update --on today', 'nothing to change'],
  ['events update --where imgae=none --title A --yes', '--where "imgae=none": events have no field "imgae"'],
  ['venues delete --where city=Girona --yes --modified-after 9h', '--modified-after: "9h" has no day'],
])('%s is refused', async (line, message) => {
  const { calctl } = await season()
  const { status, err } = await calctl(line)
  expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(`error: ${message}`) })
})

test('a title chooses among the events of a selection, and an ID does not', async () => {
  const calctl = calendar()
  for (const [title, day] of [
    ['Ballada de sardanes', '2026-12-13'],
    ['Ballada de sardanes', '2026-12-20'],
    ['Concert', '2026-12-13'],
  ] as const)
    await calctl(['events', 'create', '--title', title, '--start-date', `${day} 12:00`, '--duration', '1h'])
  const cancelled = await calctl(['events', 'cancel', 'ballada de sardanes', '--on', '13 December', '--yes'])
  expect(cancelled).toMatchObject({ status: 0, err: expect.stringContaining('1 to update') })
  expect((await calctl('events list --where cancelled=yes -o ids')).out).toBe('1\n')
  await calctl(['events', 'delete', 'Ballada de sardanes', '--month', '2026-12', '--yes'])
  expect((await calctl('events list -o ids')).out).toBe('3\n')
  for (const line of [
    ['events', 'cancel', 'Concert', 'Ball', '--today'],
    ['events', 'cancel', 'Concert', '--today', '--series'],
  ])
    expect(await calctl(line)).toMatchObject({ status: 2, err: expect.stringContaining('cannot be used together') })
})

/** An exhibition that has been on for weeks when the Saturday of a concert comes. */
async function longAndShort() {
  const calctl = calendar()
  await calctl('events create --title Exposició --start-date "2026-11-24 10:00" --end-date "2026-12-20 20:00"')
  await calctl('events create --title Concert --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"')
  return calctl
}

test('a write to the events of a day leaves out those that began before it, and says how to change them as well', async () => {
  const calctl = await longAndShort()
  const says = 'left out 1 event that begins before 2026-12-05: "Exposició" (1); to change it as well, pass its ID\n'
  for (const line of [
    ['update', '--on', '2026-12-05', '--shift', '1d'],
    ['update', '--weekend', '2026-12-05', '--shift', '1d'],
    ['delete', '--on', '2026-12-05', '--max-trash', '2'],
    ['cancel', '--on', '2026-12-05'],
    ['move', '--on', '2026-12-05', '2026-12-06'],
  ]) {
    const { status, out, err } = await calctl(['events', ...line, '--yes', '--dry-run'])
    expect([line, status, err]).toEqual([line, 0, expect.stringContaining(says)])
    expect(out).toContain('"Concert"')
    expect(out).not.toContain('"Exposició"')
  }
  expect((await calctl('events list --on 2026-12-05 --fields title -o tsv')).out).toBe('title\nExposició\nConcert\n')
  const whole = await calctl('events cancel --from 2026-11-24 --dry-run')
  expect([whole.status, whole.out, whole.err]).toEqual([0, expect.stringContaining('2 to update'), ''])
  expect(whole.err).not.toContain('left out')
  const none = await calctl('events move --on 2026-12-10 2026-12-11 --yes')
  expect([none.status, none.err]).toEqual([0, expect.stringContaining('left out 1 event that begins')])
})

test('a file that prunes the events of a day names those that began before it, and how to leave them out', async () => {
  const calctl = await longAndShort()
  const { out } = await calctl('export events --where title=Concert')
  const { status, out: planned } = await calctl('apply --prune --on 2026-12-05 --max-trash 1 --dry-run -', out)
  expect([status, planned]).toEqual([
    0,
    expect.stringContaining('1 event that is removed begins before 2026-12-05: "Exposició" (1); to leave it out'),
  ])
})

test('--shift takes a duration without a sign, and in words', async () => {
  const calctl = await longAndShort()
  for (const [shift, start] of [
    ['1d', '2026-12-06 19:00:00'],
    ['-1 week', '2026-11-29 19:00:00'],
    ['+2 hores', '2026-11-29 21:00:00'],
    ['1h30', '2026-11-29 22:30:00'],
  ] as const) {
    expect((await calctl(['events', 'update', '2', '--shift', shift])).status).toBe(0)
    expect((await calctl('events get 2 --fields start_date -o tsv')).out).toContain(start)
  }
})

describe('days that only one reading of a text leaves', () => {
  const sunday = new Date('2026-12-06T10:00:00Z')
  async function town() {
    const calctl = calendar({ now: sunday })
    await calctl('events create --title Fira --start-date "2026-12-08 10:00" --end-date "2026-12-08 12:00"')
    await calctl('events create --title Ball --start-date "2026-12-12 19:00" --end-date "2026-12-12 21:00"')
    await calctl('events create --title Nadal --start-date "2026-12-25 12:00" --end-date "2026-12-25 14:00"')
    await calctl('events create --title Avui --start-date "2026-12-06 19:00" --end-date "2026-12-06 20:00"')
    return calctl
  }
  const titles = ({ out }: { out: string }) => out.trim().split('\n').slice(1)

  test.each(['aquest dissabte', 'este sábado', 'this saturday'])('%s on a Sunday', async text => {
    const calctl = await town()
    const listed = await calctl(['events', 'list', '--on', text, '--fields', 'title', '-o', 'tsv'])
    expect(titles(listed)).toEqual(['Ball'])
    expect(listed.err).toBe(`"${text}" is read as 12 December 2026\n`)
    const agenda = await calctl(['agenda', ...text.split(' ')])
    expect([agenda.status, agenda.out]).toEqual([0, expect.stringContaining('Ball')])
    const changed = await calctl(['events', 'cancel', '--on', text, '--yes'])
    expect([changed.status, changed.err]).toEqual([2, expect.stringContaining('2026-12-05')])
  })

  test('two meanings that are both to come are refused, and a weekend on its Sunday is the current one', async () => {
    const calctl = await town()
    expect((await calctl(['events', 'list', '--on', 'diumenge'])).status).toBe(2)
    const weekend = await calctl(['events', 'list', '--on', 'aquest cap de setmana', '--fields', 'title', '-o', 'tsv'])
    expect([titles(weekend), weekend.err]).toEqual([['Avui'], ''])
  })

  test.each(['festius', 'festivos', 'holidays', 'els dies festius'])(
    '--on %s means all public holidays of the year ahead',
    async text => {
      const calctl = await town()
      const listed = await calctl(['events', 'list', '--on', text, '--fields', 'title', '-o', 'tsv'])
      expect([listed.status, titles(listed)]).toEqual([0, ['Avui', 'Fira', 'Nadal']])
      const changed = await calctl(['events', 'cancel', '--on', text, '--dry-run'])
      expect(changed.out).toMatch(/Avui.*Fira.*Nadal/s)
      expect(changed.out).not.toContain('Ball')
      expect((await calctl(['agenda', text])).out).toMatch(/Avui.*Fira.*Nadal/s)
    },
  )
})

test('the name of a place may have a comma', async () => {
  const calctl = calendar()
  for (const venue of ['La Farinera, centre cultural', 'La Farinera', 'Plaça'])
    await calctl(['venues', 'create', '--venue', venue])
  for (const id of [1, 2, 3])
    await calctl(`events create --title Acte${id} --start-date 2026-12-05T19:00 --duration 1h --venue ${id}`)
  const titles = async (venue: string) =>
    (await calctl(['events', 'list', '--venue', venue, '-o', 'tsv', '--fields', 'title'])).out.split('\n').slice(1, -1)
  expect(await titles('La Farinera, centre cultural')).toEqual(['Acte1'])
  expect(await titles('La Farinera,Plaça')).toEqual(['Acte2', 'Acte3'])
  await calctl.ask('POST /venues', { venue: 'La Farinera, centre cultural' })
  expect((await calctl(['events', 'list', '--venue', 'La Farinera, centre cultural'])).err).toContain('2 venues')
})
