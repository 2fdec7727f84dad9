import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import ca from '../../src/base/words/ca.json' with { type: 'json' }
import es from '../../src/base/words/es.json' with { type: 'json' }
import { phrase, speak } from '../../src/base/words/phrase.ts'
import { askField, askOneFrom, askPassword, askText, askYesNo } from '../../src/cli/terminal/prompts.ts'
import { choice } from '../../src/contract/kinds/choice-kinds.ts'
import { dateTime } from '../../src/contract/kinds/date-kind.ts'
import { boolean } from '../../src/contract/kinds/number-kinds.ts'
import { text } from '../../src/contract/kinds/text-kinds.ts'
import { say } from '../../src/contract/languages.ts'
import { calendar } from '../support/calendar.ts'

const enter = '\r'
const down = '\u001b[B'
const ctrlC = '\u0003'
const ctrlD = '\u0004'

/** A user who types these keys, one batch after each prompt or error. */
function person(...batches: string[]) {
  const stdin = new PassThrough()
  const seen: string[] = []
  let heard = ''
  const stderr = {
    isTTY: true,
    columns: 80,
    write: async (bytes: string | Uint8Array) => {
      const text = stripVTControlCharacters(String(bytes))
      seen.push(text)
      heard += text
      if (!/[?>] /.test(heard)) return
      heard = ''
      const keys = batches.shift()
      if (keys !== undefined) setImmediate(() => stdin.write(keys))
    },
  }
  return { stdin, stderr, seen: () => seen.join('') }
}

const words = say('Inici', 'Start', 'Inicio')

test('a text field is asked for on one line', async () => {
  expect(await askField(person(`Concert${enter}`), text(words, { nonEmpty: true }))).toBe('Concert')
})

test('a list shows no control characters of a question or of its choices', async () => {
  const someone = person(enter)
  const raw: string[] = []
  const write = (bytes: string | Uint8Array) => {
    raw.push(String(bytes))
    return someone.stderr.write(bytes)
  }
  const hostile = '\u001b]0;owned\u0007'
  const terminal = { ...someone, stderr: { ...someone.stderr, write } }
  expect(await askOneFrom(terminal, `Which ${hostile}?`, [{ name: `Sala ${hostile}`, value: 1 }])).toBe(1)
  expect(raw.join('')).toContain('Sala')
  expect(raw.join('')).not.toContain('\u001b]0')
})

test('an invalid date is asked for again', async () => {
  const someone = person(`soon${enter}`, `\u00152026-12-05 19:00${enter}`)
  expect(await askField(someone, dateTime(words))).toBe('2026-12-05 19:00')
  expect(someone.seen()).toContain('expected a date and time, such as 2026-12-05 19:00')
})

test('a boolean field is answered with yes or no', async () => {
  expect(await askField(person(`n${enter}`), boolean(words))).toBe(false)
})

test('a choice field is picked from a list', async () => {
  expect(await askField(person(`${down}${enter}`), choice(words, ['publish', 'draft']))).toBe('draft')
})

test('Enter alone means no', async () => {
  expect(await askYesNo(person(enter), 'delete for good tag 2?')).toBe(false)
  expect(await askYesNo(person(`y${enter}`), 'delete for good tag 2?')).toBe(true)
})

test.each(['y', 'yes', 's', 'S', 'si', 'sí'])('%s is yes', async answer => {
  expect(await askYesNo(person(`${answer}${enter}`), 'delete for good tag 2?')).toBe(true)
})

test('what is neither yes nor no is asked again', async () => {
  const someone = person(`x${enter}`, `y${enter}`)
  expect(await askYesNo(someone, 'delete for good tag 2?')).toBe(true)
  expect(someone.seen()).toContain('type y for yes or n for no')
})

test('output after an answer begins on a new line, also on a slow terminal', async () => {
  const { stdin, stderr, seen } = person(enter)
  const slow = async (bytes: string | Uint8Array) => {
    await new Promise(setImmediate)
    await stderr.write(bytes)
  }
  await askYesNo({ stdin, stderr: { ...stderr, write: slow } }, 'delete for good tag 2?')
  expect(seen()).toMatch(/No\n$/)
})

test.each([
  ['Ctrl-C', ctrlC],
  ['Ctrl-D', ctrlD],
])('%s cancels a prompt', async (_, keys) => {
  await expect(askYesNo(person(keys), 'delete for good tag 2?')).rejects.toMatchObject({ kind: 'interrupted' })
})

async function season(keys: readonly string[]) {
  const calctl = calendar({ terminal: 100, piped: true, keys })
  for (const title of ['Concert', 'Ball', 'Taller'])
    await calctl(`events create --title ${title} --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"`)
  return calctl
}

test('list | update - asks through the terminal, because stdin has the records', async () => {
  const calctl = await season(['y\r'])
  const { out } = await calctl('events list -o ids')
  const { status, err } = await calctl('events update - --featured', out)
  expect({ status, err }).toEqual({ status: 0, err: expect.stringContaining('change 3 events') })
  expect((await calctl('events list --featured -o count')).out).toBe('3\n')
})

test('a no at the terminal leaves the records of a pipe as they were', async () => {
  const calctl = await season(['n\r'])
  const { status, err } = await calctl('events delete -', '1\n2\n')
  // A no is an answer, not an error.
  expect({ status, err }).toEqual({ status: 8, err: expect.stringMatching(/nothing was changed\n$/) })
  expect(err).not.toContain('error')
  expect((await calctl('events list -o count')).out).toBe('3\n')
})

test('a pipe that no records come from answers no questions', async () => {
  const calctl = await season(['y\r'])
  const { status, err } = await calctl('events delete 1 2')
  expect({ status, err }).toEqual({ status: 8, err: expect.stringContaining('without a terminal') })
})

const question = {
  en: 'Application password of the editor of culture and feasts',
  ca: 'Contrasenya d’aplicació de l’editora de cultura i festes',
  es: 'Contraseña de aplicación de la editora de cultura y fiestas',
}
const catalogs = { en: undefined, ca, es }

test.each(['en', 'ca', 'es'] as const)('on a narrow terminal, questions break between words: %s', async language => {
  speak(language, catalogs[language])
  try {
    for (const ask of [askPassword, askText]) {
      const someone = person(`Concert${enter}`)
      someone.stderr.columns = 60
      await ask(someone, question[language])
      const lines = someone.seen().split(/[\r\n]+/)
      const known = new Set(`${question[language]} ${phrase('[input is masked]')}`.split(' '))
      const broken = lines.filter(
        line => /^\S/.test(line) && line.length > 50 && !known.has(line.split(' ').at(-1) ?? ''),
      )
      expect(broken).toEqual([])
      expect(someone.seen()).not.toContain(`${question[language]} ${phrase('[input is masked]')}`)
    }
  } finally {
    speak('en')
  }
})
