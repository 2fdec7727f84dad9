import type { Sink } from '../world.ts'

/** Shows the progress of a run. */
export interface Progress {
  step(): Promise<void>
  end(): Promise<void>
}

/** The shortest time between two updates of the line on a terminal, in ms. */
const updateInterval = 100

/** With fewer steps, no progress is printed to a file or pipe. */
const longRun = 50

/** Creates the progress display: on a terminal one line that is updated, elsewhere one line per 10 %. */
export function createProgress(sink: Sink, total: number, now: () => number): Progress {
  const started = now()
  let done = 0
  let updated = 0
  const line = () => {
    const seconds = (now() - started) / 1000
    const rate = seconds > 0 ? done / seconds : 0
    const left = rate > 0 ? `, ${durationText((total - done) / rate)} left` : ''
    return `${done} of ${total} (${Math.floor((done / total) * 100)} %)${rate > 0 ? `, ${rounded(rate)}/s` : ''}${left}`
  }
  return {
    async step() {
      done += 1
      if (sink.isTTY) {
        if (now() - updated < updateInterval && done < total) return
        updated = now()
        await sink.write(`\r\u001b[K${line()}`, 'painted')
      } else if (total >= longRun && Math.floor((done * 10) / total) > Math.floor(((done - 1) * 10) / total))
        await sink.write(`${line()}\n`)
    },
    async end() {
      if (sink.isTTY && done > 0) await sink.write('\r\u001b[K', 'painted')
    },
  }
}

const rounded = (rate: number): string => (rate < 10 ? rate.toFixed(1) : String(Math.round(rate)))

function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`
}
