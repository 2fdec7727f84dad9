import { appendFileSync, closeSync, openSync } from 'node:fs'
import { badSettings, type Failure, usage } from '../../base/failure.ts'
import { reason } from '../../base/fs.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Step } from '../plan/plan.ts'
import type { StepResult } from './result.ts'

/** `--report`: writes a line of JSON for every step as soon as its result is known. */
export interface Report {
  add(step: Step, result: StepResult): void
  /** Closes the report; returns the failure if it could not be written completely. */
  end(): Failure | undefined
}

/** Opens a report. A full disk does not stop the run; `end` returns the failure. */
export function openReport(file: string): Report {
  const fd = openForWriting(file)
  let writeError: Failure | undefined
  return {
    add({ key, action, resource, at, id }, { state, failure, id: writtenId }) {
      if (writeError) return
      const error = failure && { kind: failure.kind, message: failure.message, hint: failure.details.hint }
      try {
        appendFileSync(fd, `${JSON.stringify({ key, action, resource, id: writtenId ?? id, at, state, error })}\n`)
      } catch (error) {
        writeError = badSettings(
          phrase('the report {file} is incomplete: {reason}', { file, reason: reason(error as Error) }),
          phrase('see the results of all steps with: calctl runs show'),
        )
      }
    },
    end() {
      closeSync(fd)
      return writeError
    },
  }
}

/** Whether the first line of a file is that of a report. */
export const isReport = (firstLine: string): boolean => /^\{"key":".*","action":"\w+","resource":"\w+",/.test(firstLine)

function openForWriting(file: string): number {
  try {
    return openSync(file, 'w')
  } catch (error) {
    throw usage(
      phrase('cannot write {file}: {reason}', { file, reason: reason(error as Error) }),
      phrase('choose another file'),
    )
  }
}
