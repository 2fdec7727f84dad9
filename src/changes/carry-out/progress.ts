import { writtenNumber } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'

/** Where progress is shown: a terminal, a file or a pipe. */
interface Sink {
  readonly isTTY?: boolean | undefined
  write(text: string, as?: 'painted'): Promise<void>
}

/** Shows the progress of a run. */
export interface Progress {
  /** Counts a step that was sent, and whether it failed. */
  step(failed?: boolean): Promise<void>
  /** Prints a sentence above the line. */
  say(sentence: string): Promise<void>
  end(): Promise<void>
}

/** The shortest time between two updates of the line on a terminal, in ms. */
const updateInterval = 100

/** The same for lines in a file or pipe. A shorter run prints none. */
const lineInterval = 10_000

const eraseLine = '\r\u001b[K'

/** Creates the progress display: on a terminal one line that is updated, elsewhere a line every ten seconds. */
export function createProgress(sink: Sink, total: number, now: () => number): Progress {
  const started = now()
  let sent = 0
  let failed = 0
  let updated = sink.isTTY ? 0 : started
  const line = () => {
    const seconds = (now() - started) / 1000
    const rate = seconds > 0 ? sent / seconds : 0
    const done = sent - failed
    return [
      phrase('{done} of {total} done ({percent} %)', { done, total, percent: Math.floor((done / total) * 100) }),
      failed > 0 && phrase('{count} failed', { count: failed }),
      rate > 0 && `${writtenNumber(rate, rate < 10 ? 1 : 0)}/s`,
      rate > 0 && timeLeft((total - sent) / rate),
    ]
      .filter(part => part)
      .join(', ')
  }
  return {
    async step(hasFailed = false) {
      sent += 1
      if (hasFailed) failed += 1
      const isDue = now() - updated >= (sink.isTTY ? updateInterval : lineInterval)
      if (!isDue && !(sink.isTTY && sent === total)) return
      updated = now()
      await sink.write(sink.isTTY ? `${eraseLine}${line()}` : `${line()}\n`, 'painted')
    },
    async say(sentence) {
      const current = sink.isTTY && sent > 0 ? line() : ''
      await sink.write(`${sink.isTTY ? eraseLine : ''}${sentence}\n${current}`, 'painted')
    },
    async end() {
      if (sink.isTTY && sent > 0) await sink.write(eraseLine, 'painted')
    },
  }
}

function timeLeft(seconds: number): string {
  const [size, unit] = seconds < 90 ? [1, 's'] : seconds < 5400 ? [60, 'min'] : [3600, 'h']
  const count = Math.ceil(seconds / Number(size))
  return phrase('{count, plural, one {# {unit} left} other {# {unit} left}}', { count, unit })
}
