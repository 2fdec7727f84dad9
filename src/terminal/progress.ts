import type { Sink } from '../world.ts'

/** Shows how far a run is. */
export interface Progress {
  step(): Promise<void>
  end(): Promise<void>
}

/** How often a line on a terminal is drawn anew at most, in ms. */
const patience = 100

/** Below this many steps nobody needs to be told in between. */
const few = 50

/** On a terminal one line that changes, elsewhere a line every tenth. */
export function createProgress(sink: Sink, total: number, now: () => number): Progress {
  const started = now()
  let done = 0
  let drawn = 0
  const line = () => {
    const seconds = (now() - started) / 1000
    const rate = seconds > 0 ? done / seconds : 0
    const left = rate > 0 ? `, ${shown((total - done) / rate)} left` : ''
    return `${done} of ${total} (${Math.floor((done / total) * 100)} %)${rate > 0 ? `, ${rounded(rate)}/s` : ''}${left}`
  }
  return {
    async step() {
      done += 1
      if (sink.isTTY) {
        if (now() - drawn < patience && done < total) return
        drawn = now()
        await sink.write(`\r\u001b[K${line()}`)
      } else if (total >= few && Math.floor((done * 10) / total) > Math.floor(((done - 1) * 10) / total))
        await sink.write(`${line()}\n`)
    },
    async end() {
      if (sink.isTTY && done > 0) await sink.write('\r\u001b[K')
    },
  }
}

const rounded = (rate: number): string => (rate < 10 ? rate.toFixed(1) : String(Math.round(rate)))

function shown(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`
}
