import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { png } from '../images/png.ts'
import { told } from '../soak/told.ts'
import { wordpressSite } from '../support/wordpress-site.ts'
import { worldOf } from '../support/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'calctl-odd-kept-files-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What stands in the place of a file that calctl keeps. */
const oddities: Readonly<Record<string, (path: string) => void>> = {
  'a pipe': path => void spawnSync('mkfifo', [path]),
  'a device without an end': path => symlinkSync('/dev/zero', path),
  'a folder': path => mkdirSync(path),
  'a link to itself': path => symlinkSync(path, path),
  'half a gigabyte of nothing': path => {
    writeFileSync(path, '')
    truncateSync(path, 2 ** 29)
  },
  null: path => writeFileSync(path, 'null\n'),
  'a list': path => writeFileSync(path, '[null,{},[]]\n'),
}

test.each(Object.entries(oddities))(
  '%s in the place of a file that calctl keeps keeps no command busy',
  async (name, put) => {
    const home = mkdtempSync(join(folder, 'home-'))
    const { env } = await wordpressSite({ env: { XDG_DATA_HOME: join(home, 'data'), NO_COLOR: '1' } })
    const run = worldOf({
      env: { ...env, XDG_STATE_HOME: join(home, 'state'), XDG_CACHE_HOME: join(home, 'cache') },
      cwd: home,
      terminal: 100,
    })
    writeFileSync(join(home, 'poster.png'), png(8, 6))
    writeFileSync(join(home, 'tags.csv'), 'resource,name\ntags,Jazz\n')
    expect(await run('apply tags.csv --yes')).toMatchObject({ status: 0 })
    expect(await run('tags list --no-hide-empty')).toMatchObject({ out: expect.stringContaining('Jazz') })
    const [journal = ''] = readdirSync(join(home, 'state/calctl/runs'))
    const kept: Readonly<Record<string, readonly string[]>> = {
      'cache/calctl/sites.ndjson': ['tags update 1 --slug jazz-2 --yes'],
      'cache/calctl/images.ndjson': ['events update 1 --image poster.png --yes'],
      'state/calctl/uploads.ndjson': [
        'events update 1 --image poster.png --yes',
        'events update 1 --image poster.png --yes',
      ],
      'data/calctl/translations.ndjson': ['languages status', 'languages copy tags 1 --to en --yes'],
      [`state/calctl/runs/${journal}`]: [
        'history',
        'runs list',
        'runs show',
        'undo --dry-run',
        'runs resume --yes',
        'runs prune --older-than 0d --unfinished --yes',
        '__complete -- undo ',
      ],
    }
    for (const [file, lines] of Object.entries(kept)) {
      const path = join(home, file)
      for (const line of lines) {
        rmSync(path, { recursive: true, force: true })
        mkdirSync(dirname(path), { recursive: true })
        put(path)
        const { status, err } = await run(line.split(' '))
        expect([name, line, status, err]).toEqual([
          name,
          line,
          expect.toSatisfy(one => told.includes(one)),
          expect.anything(),
        ])
        if (status > 1) expect(err).toMatch(/^error: .*\nhint: /m)
      }
    }
  },
)

test('a pipe in the place of a journal is named, and so is a sheet that Tab would read', async () => {
  const home = mkdtempSync(join(folder, 'home-'))
  const runs = join(home, 'state/calctl/runs')
  mkdirSync(runs, { recursive: true })
  for (const path of [join(runs, '20261121-020000.000-k3f.ndjson'), join(home, 'season.csv')])
    expect(spawnSync('mkfifo', [path]).status).toBe(0)
  const run = worldOf({ env: { XDG_STATE_HOME: join(home, 'state') }, cwd: home })
  expect(await run('runs show k3f')).toMatchObject({
    status: 3,
    err: expect.stringMatching(/^error: cannot read the journal .*k3f\.ndjson: it is a pipe\nhint: /),
  })
  expect(await run('__complete -- apply season.csv --map Lloc')).toMatchObject({ status: 0 })
})
