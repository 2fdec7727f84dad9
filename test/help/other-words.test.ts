import { expect, test } from 'vitest'
import { resources } from '../../src/contract/contract.ts'
import { worldOf } from '../support/world.ts'

const calctl = worldOf({})

const hintOf = async (line: string) => {
  const { status, out, err } = await calctl(line)
  expect({ line, status, out }).toEqual({ line, status: 2, out: '' })
  return err.split('\n')[1]?.replace('hint: ', '')
}

const meant: readonly (readonly [typed: string, hint: string])[] = [
  ['events add --title "Jazz night" --cost 5', "calctl events create --title 'Jazz night' --cost 5"],
  ['events new', 'calctl events create'],
  ['venues rm 12', 'calctl venues delete 12'],
  ['events remove 12 -y', 'calctl events delete 12 -y'],
  ['events trash 12', 'calctl events delete 12'],
  ['events show concert', 'calctl events get concert'],
  ['events 12', 'calctl events get 12'],
  ['-p town events view 12 -q', 'calctl -p town events get 12 -q'],
  ['events ls --all', 'calctl events list --all'],
  ['events search jazz a la plaça --all', "calctl events list --search 'jazz a la plaça' --all"],
  ['events find jazz', 'calctl find jazz'],
  ['import season.csv --dry-run', 'calctl apply season.csv --dry-run'],
  ['events import season.csv', 'calctl apply season.csv'],
  ['events list jazz a la plaça --all', "calctl events list --all --search 'jazz a la plaça'"],
  ['events list saturday', 'calctl events list --on saturday'],
  ['events list 21 de novembre', "calctl events list --on '21 de novembre'"],
  ['events list 12', 'calctl events get 12'],
  ['venues list girona', 'calctl venues list --search girona'],
  ['agenda saturday', 'calctl agenda --on saturday'],
  ['agenda weekend', 'calctl agenda --weekend'],
  ['agenda december', 'calctl agenda --month december'],
  ['agenda 12/2026', 'calctl agenda --month 12/2026'],
  ['agenda next week', "calctl agenda --week 'next week'"],
  ['agenda jazz', 'calctl agenda --search jazz'],
  ['edit venue 5', 'calctl venues edit 5'],
  ['upload poster.png', 'calctl media upload poster.png'],
  ['upload season.xlsx', 'calctl apply season.xlsx'],
  ['auth login', 'calctl login'],
  ['auth logout', 'calctl logout'],
  ['config list', 'calctl profiles list'],
  ['events agenda', 'calctl agenda'],
  ['venues export', 'calctl export venues'],
  ['config', 'calctl login'],
  ['init example.org', 'calctl login example.org'],
  ['version', 'calctl --version'],
  ['list --all', 'calctl events list --all'],
  ['new event', 'calctl events create'],
  ['add venue --venue Sala', 'calctl venues create --venue Sala'],
  ['delete category 27', 'calctl categories delete 27'],
  ['event add --title Jazz', 'calctl events create --title Jazz'],
  ['category list', 'calctl categories list'],
  ['events list --image none --all', 'calctl events list --where image=none --all'],
  ['today', 'calctl events list --today'],
  ['events list --since 2026-12-01', 'calctl events list --from 2026-12-01'],
  ['events list --since=2026-12-01 --all', 'calctl events list --from=2026-12-01 --all'],
  ['venues create --name Sala', 'calctl venues create --venue Sala'],
  ['venues list --on saturday', 'calctl events list --on saturday'],
  ['events create --price 5', 'calctl events create --cost 5'],
  ['events add --title Jazz --password secret', 'calctl events create --title Jazz --password ***'],
  ['ajuda', 'calctl help'],
  ['desfés', 'calctl undo'],
  ['deshacer k3f', 'calctl undo k3f'],
  ['esdeveniments', 'calctl events'],
  ['esdeveniments llista --all', 'calctl events list --all'],
  ['crea esdeveniment', 'calctl events create'],
  ['events anul·la 12', 'calctl events cancel 12'],
  ['llocs esborra 12', 'calctl venues delete 12'],
  ['esborra etiqueta 12', 'calctl tags delete 12'],
  ['eventos borra 12', 'calctl events delete 12'],
  ['actes ajorna 12 --to dilluns', 'calctl events postpone 12 --to dilluns'],
  ['cerca jazz', 'calctl find jazz'],
  ['events cerca lloc', 'calctl find lloc'],
  ['importa temporada.xlsx', 'calctl apply temporada.xlsx'],
  ['avui', 'calctl events list --today'],
  ['agenda cap de setmana', 'calctl agenda --weekend'],
  ['agenda aquesta setmana', 'calctl agenda --week'],
  ['events list --títol jazz', 'calctl events list --where title~jazz'],
  ['events list --fins dissabte', 'calctl events list --to dissabte'],
  ['events create --preu 5', 'calctl events create --cost 5'],
]

for (const [line, hint] of meant)
  test(`calctl ${line}: the answer is the command to type`, async () => {
    expect(await hintOf(line)).toBe(`did you mean: ${hint}`)
  })

test('what to type is a command with options that exist', async () => {
  for (const [, hint] of meant) {
    const { err } = await calctl(`${hint.replace(/^calctl /, '')} --help`)
    expect({ hint, err }).toEqual({ hint, err: '' })
  }
})

/** Where what was meant would change more than the words that were typed, the hint is where to read on. */
const unclear: readonly (readonly [typed: string, command: string])[] = [
  ['events unpublish 12', 'events update'],
  ['events unpublish --month desembre', 'events update'],
  ['add --title Jazz', 'events create'],
  ['edit 5', 'events edit'],
  ['delete 12', 'events delete'],
  ['events delete 12 --force', 'events delete'],
  ['events delete --past', 'events delete'],
  ['events delete --since 2026-12-01', 'events delete'],
  ['esborra 12', 'events delete'],
  ['publica --month desembre', 'events publish'],
  ['events delete --desde 2026-12-01', 'events delete'],
]

for (const [line, command] of unclear)
  test(`calctl ${line}: the answer is the help of calctl ${command}`, async () => {
    expect(await hintOf(line)).toBe(`see the usage with: calctl ${command} --help`)
  })

const unknownWords = (
  'add insert make new remove trash erase drop change modify patch set move reschedule postpone shift cancel publish unpublish hide ' +
  'esborra publica cancel·la modifica desfés restaura mueve aplica untrash recover load sync upload revert rollback signin setup clear purge apply undo delete create update edit merge restore'
).split(' ')

const values = [
  '12',
  '--month desembre',
  '--status private',
  '--force',
  '--past',
  '--since 2026',
  '+7d',
  '--all',
  'season.csv',
  '',
]

const rounds = 47

test('no hint for a word changes more than the words that were typed', async () => {
  const nouns = ['', ...resources.flatMap(({ name, singular }) => [name, singular])]
  const lines = nouns.flatMap(noun =>
    unknownWords.flatMap(word => values.map(value => [noun, word, value].filter(part => part).join(' '))),
  )
  // Some of them each time, all of them over time.
  const round = Math.floor(Math.random() * rounds)
  const wider: string[] = []
  for (const line of lines.filter((_, index) => index % rounds === round)) {
    const { status, err } = await calctl(`${line} --frobnicate`)
    const [, hint = ''] = /^hint: did you mean: (.*)$/m.exec(err) ?? []
    if (status !== 2 || hint === '') continue
    const typed = line.split(' ')
    const [, ...suggested] = hint.split(' ')
    const added = suggested.filter(word => !typed.includes(word) && word !== '--frobnicate')
    const isReading = suggested.includes('list') || suggested.includes('get') || suggested.includes('diff')
    const isGuess = added.some(word => resources.some(one => one.name === word && !typed.includes(one.singular)))
    if (!isReading && (isGuess || added.some(word => !/^[a-z]+$/.test(word)))) wider.push(`${line}: ${hint}`)
  }
  expect(wider).toEqual([])
})

test('a mistyped word gets the nearest one, and a strange one the usage', async () => {
  expect(await hintOf('events creat')).toBe('did you mean create?')
  expect(await hintOf('events list --stats x')).toMatch(/^did you mean .*--status/)
  expect(await hintOf('events frobnicate')).toBe('see the usage with: calctl events --help')
})

test('calctl events help list still prints help', async () => {
  expect((await calctl('events help list')).out).toMatch(/^List events/)
})
