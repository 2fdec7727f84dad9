import { exitStatus, type FailureKind } from '../../failure.ts'

/** An exit status, what it means, and the kinds of errors that end with it. */
export interface StatusMeaning {
  readonly status: number
  readonly meaning: string
  readonly kinds: readonly FailureKind[]
}

/** A kind that shares its status with another one has a shorter description. */
const meanings: Record<FailureKind, string> = {
  usage: 'usage: an unknown command or option, a wrong value, an invalid file; nothing was sent',
  settings: 'configuration: no such profile, an unreadable file, a port in use',
  denied: 'credentials: the service answered 401',
  missing: 'the service has no such record',
  refused: 'the service refused the request',
  unreachable: 'unreachable, timed out, or the service failed (5xx): trying again may help',
  partial: 'some of many failed',
  conflict: 'conflict: the record changed meanwhile, or the service changed a field that was not asked for',
  declined: 'declined at a prompt, or stopped by a safety rule',
  interrupted: 'interrupted',
}

/** All exit statuses, in ascending order. */
export function statusMeanings(): readonly StatusMeaning[] {
  const kinds = Object.keys(exitStatus) as FailureKind[]
  return [
    { status: 0, meaning: 'done; an empty list too', kinds: [] },
    {
      status: 1,
      meaning:
        'a check found something: differences (`diff`), problems (`lint`, `doctor`), duplicates (`dedupe`), missing translations (`languages status`)',
      kinds: [],
    },
    ...[...new Set(Object.values(exitStatus))].map(status => {
      const same = kinds.filter(kind => exitStatus[kind] === status)
      return { status, meaning: same.map(kind => meanings[kind]).join('; '), kinds: same }
    }),
  ]
}
