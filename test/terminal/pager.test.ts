import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import ca from '../../src/base/words/ca.json' with { type: 'json' }
import es from '../../src/base/words/es.json' with { type: 'json' }
import { speak } from '../../src/base/words/phrase.ts'
import { startPager } from '../../src/cli/terminal/pager.ts'
import { calendar } from '../support/calendar.ts'

const terminal = { terminal: 80, rows: 5, env: { NO_COLOR: '1' } }
const fewTags = ['One', 'Two', 'Three']
const manyTags = [...fewTags, 'Four', 'Five', 'Six']

async function tags(options: Parameters<typeof calendar>[0], names = manyTags) {
  const calctl = calendar(options)
  for (const name of names) await calctl(`tags create --name ${name} -q -o ids`)
  return calctl
}

/** A pager that notes its command line and what it gets, and is left after so many texts. */
function notingPager(most = Number.POSITIVE_INFINITY) {
  const commands: string[] = []
  const texts: string[] = []
  const pager = (command: string) => {
    commands.push(command)
    return (text: string) => {
      if (texts.length === most) return false
      texts.push(text)
      return true
    }
  }
  return { pager, commands, texts }
}

test('output that is longer than the terminal goes to the pager, as a whole', async () => {
  const { pager, commands, texts } = notingPager()
  const plain = await (await tags({ terminal: 80, env: { NO_COLOR: '1' } }))('tags list --no-hide-empty')
  const calctl = await tags({ ...terminal, pager })
  expect(await calctl('tags list --no-hide-empty')).toEqual({ ...plain, out: '' })
  expect({ commands, text: texts.join('') }).toEqual({ commands: ['less'], text: plain.out })
})

test('output that fits on the terminal, or goes elsewhere, starts no pager', async () => {
  const { pager, commands } = notingPager()
  const few = await tags({ ...terminal, pager }, fewTags)
  expect((await few('tags list --no-hide-empty')).out.split('\n')).toHaveLength(5)
  const many = await tags({ ...terminal, pager })
  for (const line of ['tags list --no-hide-empty --no-pager', 'tags list --no-hide-empty --no-input'])
    expect((await many(line)).out.split('\n')).toHaveLength(8)
  for (const [name, value] of Object.entries({ CALCTL_PAGER: '', PAGER: 'cat', TERM: 'dumb' })) {
    const calctl = await tags({ ...terminal, pager, env: { [name]: value } })
    expect((await calctl('tags list --no-hide-empty')).out.split('\n')).toHaveLength(8)
  }
  expect(commands).toEqual([])
})

test('CALCTL_PAGER wins over PAGER', async () => {
  const { pager, commands } = notingPager()
  const calctl = await tags({ ...terminal, pager, env: { PAGER: 'more', CALCTL_PAGER: 'less -S' } })
  await calctl('tags list --no-hide-empty')
  expect(commands).toEqual(['less -S'])
})

test('leaving the pager early is no error, and ends the reading', async () => {
  const { pager, texts } = notingPager(1)
  const calctl = await tags({ ...terminal, rows: 2, pager })
  expect(await calctl('tags list --no-hide-empty --all')).toEqual({ status: 0, out: '', err: '' })
  expect(texts).toHaveLength(1)
})

test('without its pager the output is printed, and one that was chosen is named', async () => {
  const usual = await tags(terminal)
  const { out, err, status } = await usual('tags list --no-hide-empty')
  expect({ lines: out.split('\n').length, err, status }).toEqual({ lines: 8, err: '', status: 0 })
  const chosen = await tags({ ...terminal, env: { NO_COLOR: '1', PAGER: 'nonesuch' } })
  expect(await chosen('tags list --no-hide-empty')).toEqual({
    status: 0,
    out,
    err: 'cannot start the pager "nonesuch"; choose another with CALCTL_PAGER or PAGER\n',
  })
})

test('a pager gets texts without control characters', async () => {
  const { pager, texts } = notingPager()
  const calctl = await tags({ ...terminal, pager })
  await calctl(['tags', 'create', '--name', 'A\u001b[2JB\u202eC', '-q', '-o', 'ids'])
  await calctl('tags list --no-hide-empty')
  expect(texts.join('')).toContain('ABC')
})

test('an agenda goes to the pager, too', async () => {
  const { pager, texts } = notingPager()
  const calctl = calendar({ ...terminal, language: 'en', pager })
  for (const day of [21, 22, 23])
    await calctl(`events create --title Jazz --start-date 2026-11-${day} --end-date 2026-11-${day} -q -o ids`)
  expect((await calctl('agenda')).out).toBe('')
  expect(texts.join('')).toContain('Saturday 21 November')
})

test('a real pager reads all that is written, with and without a shell', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'pager-')), 'read')
  const script = `${file}.sh`
  writeFileSync(script, 'cat > "$1"')
  for (const command of [`sh ${script} ${file}`, `cat > '${file}'`]) {
    let hasEnded = false
    const pager = await startPager(command, process.env, () => {
      hasEnded = true
    })
    expect(await pager.write('a text\n')).toBe(true)
    expect(await pager.end()).toBe(true)
    expect(hasEnded).toBe(true)
  }
})

test.each([
  [{ LANG: 'C' }, 'utf-8'],
  [{ LANG: 'ca_ES.UTF-8' }, 'utf-8'],
  [{ LANG: 'C', LESSCHARSET: 'latin1' }, 'latin1'],
])('with %j less reads text as "%s"', async (env, charset) => {
  const file = join(mkdtempSync(join(tmpdir(), 'pager-')), 'read')
  const { LC_ALL: _, ...others } = process.env
  const pager = await startPager(`printf %s "$LESSCHARSET" > '${file}'; cat`, { ...others, ...env }, () => {})
  await pager.end()
  expect(readFileSync(file, 'utf8')).toBe(charset)
})

test.each([
  ['ca', ca, {}, 'FRX -Ps?e(END) .q per sortir, espai per continuar'],
  ['en', undefined, {}, 'FRX -Ps?e(END) .q to leave, space to go on'],
  ['es', es, {}, 'FRX -Ps?e(END) .q para salir, espacio para continuar'],
  ['en', undefined, { LESS: 'S' }, 'S'],
] as const)(
  'in %s, less says how to leave it, unless its user has set it up',
  async (language, catalog, env, settings) => {
    const file = join(mkdtempSync(join(tmpdir(), 'pager-')), 'read')
    const { LESS: _, ...others } = process.env
    speak(language, catalog)
    try {
      const pager = await startPager(`printf %s "$LESS" > '${file}'; cat`, { ...others, ...env }, () => {})
      await pager.end()
    } finally {
      speak('en')
    }
    expect(readFileSync(file, 'utf8')).toBe(settings)
  },
)

test('a pager that is missing takes nothing, with and without a shell', async () => {
  for (const command of ['calctl-nonesuch', 'calctl-nonesuch 2>/dev/null']) {
    const pager = await startPager(command, process.env, () => {})
    await pager.write('a text\n')
    expect(await pager.end()).toBe(false)
  }
})
