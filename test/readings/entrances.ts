import { calendarWithFiles } from '../support/calendar-with-files.ts'
import { createCalendarClient, startCalendar } from '../support/libraries.ts'
import type { Keys } from '../support/world.ts'

/** A value as somebody writes it for a field of an event. */
interface Question {
  readonly field: string
  /** The heading of its column, and the option of its name. */
  readonly heading: string
  readonly option: string
  readonly text: string
  /** The meanings between which a terminal lets choose; the first one is taken. */
  readonly forms: readonly string[]
  /** Whether it has no meaning: a terminal then asks again, and gets no answer. */
  readonly isRefused: boolean
}

/** What an entrance makes of a text: the value that is stored, the meanings that it names, or only that it refuses it. */
export type Answer = { readonly value: unknown } | { readonly asked: readonly string[] } | { readonly refused: true }

type Entrance = (question: Question) => Promise<Answer>

interface Outcome {
  readonly status: number
  readonly err: string
}

const event = { title: 'Ball', start_date: '2026-12-05 19:00:00', end_date: '2026-12-05 21:00:00' }
const options = ['--title', event.title, '--start-date', event.start_date, '--end-date', event.end_date]

function answerOf({ status, err }: Outcome, { forms }: Question, value: unknown): Answer {
  if (status === 0) return { value }
  return forms.length > 0 && forms.every(form => err.includes(form)) ? { asked: forms } : { refused: true }
}

type Calendar = ReturnType<typeof calendarWithFiles>

/** The field of the only event; undefined without one. */
async function stored({ calctl }: Calendar, field: string): Promise<unknown> {
  return JSON.parse((await calctl('events list --all-dates --json')).out)[0]?.[field]
}

async function withCommand(question: Question, command: (calendar: Calendar) => Promise<Outcome>): Promise<Answer> {
  const calendar = calendarWithFiles()
  const outcome = await command(calendar)
  return answerOf(outcome, question, await stored(calendar, question.field))
}

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`

const fromLibrary: Entrance = async question => {
  const calendar = await startCalendar()
  try {
    const client = createCalendarClient({ url: calendar.url })
    const record = await client.events.create({ ...event, [question.field]: question.text })
    return { value: (record as unknown as Record<string, unknown>)[question.field] }
  } catch (error) {
    const { message, hint = '' } = error as Error & { hint?: string }
    return answerOf({ status: 2, err: `${message} ${hint}` }, question, undefined)
  } finally {
    await calendar.close()
  }
}

/** At a terminal each doubt is a menu; a text that cannot be read is asked for again, and is then left out. */
const fromDialog: Entrance = async question => {
  const isDoubt = question.forms.length > 0
  const menu: Keys[] = isDoubt ? ['\r'] : []
  const keys: Keys[] = [
    '21:00\r',
    '\r',
    question.isRefused ? [`${question.text}\r`, 'xpected', '\u0015\r'] : `${question.text}\r`,
    ...menu,
    ...Array<Keys>(4).fill('\r'),
  ]
  const calendar = calendarWithFiles({ terminal: 200, keys })
  const { status, err } = await calendar.calctl(['events', 'create', ...options.slice(0, 4)])
  const value = status === 0 ? await stored(calendar, question.field) : undefined
  if (isDoubt) return answerOf({ status: 2, err }, question, value)
  return status === 0 && value !== '' ? { value } : { refused: true }
}

/** Everywhere where somebody writes a value: the same text means the same. */
export const entrances: Readonly<Record<string, Entrance>> = {
  option: question =>
    withCommand(question, ({ calctl }) =>
      calctl(['events', 'create', ...options, `${question.option}=${question.text}`]),
    ),
  '--data': question =>
    withCommand(question, ({ calctl }) =>
      calctl(['events', 'create', '--data', JSON.stringify({ ...event, [question.field]: question.text })]),
    ),
  sheet: question =>
    withCommand(question, ({ calctl, file }) => {
      const row = [event.title, event.start_date, event.end_date, question.text].map(quoted).join(',')
      return calctl(`apply ${file('a.csv', `title,start_date,end_date,${question.heading}\n${row}\n`)} --yes`)
    }),
  library: fromLibrary,
  terminal: fromDialog,
}
