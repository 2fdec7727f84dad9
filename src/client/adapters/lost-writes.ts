import { Failure } from '../../base/failure.ts'
import { shellWord } from '../../base/text/escaping.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { CalendarApi, Ref, Renew, Values } from '../client.ts'
import { listAllCommand } from '../http/problems/unavailable.ts'
import type { RetryOptions } from '../http/retry.ts'
import type { WriteOutcome } from './reconcile.ts'

/** One write: how to send it, how to find out whether it was done, and how to describe it. */
interface Write {
  send(): Promise<Answer>
  reconcile(): Promise<WriteOutcome>
  /** Builds it again before it is sent again; throws `conflict` if it must not be sent any more. */
  renew?: Renew | undefined
  /** Whether sending it twice has the same result as sending it once, even while the first request is still under way. */
  readonly isRepeatable: boolean
  /** `the event` */
  readonly subject: string
  /** `created` */
  readonly verb: string
  /** The command that shows whether it was done. */
  readonly command: string
  /** What else to try if the calendar does not show the record either. */
  readonly otherwise?: string
}

/** How long a service gets at least to finish a write before the second check, in ms. */
const shortestGrace = 2000

/** A client that checks what became of a lost write: one without a response. It sends no write again before that check. */
export function withReconciliation(client: CalendarApi, options: RetryOptions): CalendarApi {
  // Posts and terms have IDs of two sequences.
  const created = { posts: emptyCreated(), terms: emptyCreated() }
  const reconcile = () => import('./reconcile.ts')
  let slowest = 0
  const sendUntilKnown = (write: Write) =>
    sendWrite(
      { ...options, grace: () => Math.max(2 * slowest, shortestGrace) },
      {
        ...write,
        async send() {
          const started = options.now()
          const answer = await write.send()
          slowest = Math.max(slowest, options.now() - started)
          return answer
        },
      },
    )

  /** Sends an update through either API: with the values that were built last, which are the ones to look for. */
  const sendUpdate = ({ latest, send, reconcile, ...described }: Update) =>
    sendUntilKnown({
      ...described,
      send: () => send(latest.values, latest.renew),
      reconcile: () => reconcile(latest.values),
      renew: latest.renew,
      isRepeatable: true,
      verb: 'changed',
    })

  return {
    ...client,
    async create(resource, values) {
      const ours = resource.trashable ? created.posts : created.terms
      const { newest } = ours
      const sent = options.now()
      const attempt = {
        resource,
        values,
        sent,
        newest,
        now: options.now,
        isTaken: (id: number) => ours.ids.has(id),
        rewrite: client.update,
      }
      let answeredId: number | undefined
      const record = await sendUntilKnown({
        send: () =>
          client.create(resource, values).catch(error => {
            if (error instanceof Failure) answeredId = error.details.answeredId
            throw error
          }),
        reconcile: async () => (await reconcile()).findCreated(client, { ...attempt, answeredId }),
        isRepeatable: false,
        subject: `the ${resource.singular}`,
        verb: 'created',
        command: `${listAllCommand(resource, client.calendar)} --search ${shellWord(String(values[resource.title]))}`,
      })
      ours.ids.add(record.id)
      ours.newest = Math.max(ours.newest ?? 0, record.id)
      return record
    },
    update: (resource, ref, values, renew) =>
      sendUpdate({
        ...describe(resource, ref),
        latest: latestOf(values, renew),
        send: (values, renew) => client.update(resource, ref, values, renew),
        reconcile: async values => (await reconcile()).findUpdated(client, resource, ref, values),
      }),
    async wordpress(...request) {
      const wordpress = await client.wordpress(...request)
      return (
        wordpress && {
          ...wordpress,
          patch: (resource, id, values, renew) =>
            sendUpdate({
              ...describe(resource, { id }),
              latest: latestOf(values, renew),
              send: (values, renew) => wordpress.patch(resource, id, values, renew),
              reconcile: async values => (await reconcile()).findPatched(wordpress, resource, id, values),
              otherwise: 'or leave wp/v2 out with: --via events',
            }),
        }
      )
    },
    delete: (resource, ref, values = {}, renew) =>
      sendUntilKnown({
        send: () => client.delete(resource, ref, values, renew),
        reconcile: async () => (await reconcile()).findDeleted(client, resource, ref, values),
        renew,
        isRepeatable: true,
        verb: 'deleted',
        ...describe(resource, ref),
      }),
  }
}

/** An update, and how to send it and look for it. */
interface Update extends Pick<Write, 'subject' | 'command' | 'otherwise'> {
  readonly latest: LatestValues
  send(values: Values, renew: Renew | undefined): Promise<Answer>
  reconcile(values: Values): Promise<WriteOutcome>
}

/** The values of an update as they were built last. */
interface LatestValues {
  values: Values
  readonly renew: Renew | undefined
}

function latestOf(values: Values, renew: Renew | undefined): LatestValues {
  const latest: LatestValues = {
    values,
    renew:
      renew &&
      (async () => {
        latest.values = await renew()
        return latest.values
      }),
  }
  return latest
}

/** The IDs that this client was answered. A site gives them in ascending order. */
interface Created {
  readonly ids: Set<number>
  newest: number | undefined
}

const emptyCreated = (): Created => ({ ids: new Set(), newest: undefined })

function describe({ name, singular }: Resource, ref: Ref): Pick<Write, 'subject' | 'command'> {
  const key = 'id' in ref ? ref.id : ref.slug
  return { subject: `${singular} ${key}`, command: `calctl ${name} get ${key}` }
}

/** How a write is sent; `grace` is how long a service gets to finish it, in ms. */
interface SendOptions extends RetryOptions {
  grace(): number
}

async function sendWrite(options: SendOptions, write: Write): Promise<Answer> {
  const { subject, verb } = write
  for (let attempt = 0; ; attempt++) {
    try {
      return await write.send()
    } catch (error) {
      if (!(error instanceof Failure) || !isLost(error)) throw error
      const outcome = await reconcileTwice(options, write, error)
      if (typeof outcome === 'object') {
        await options.notice(`${error.message}; ${subject} was ${verb} anyway`)
        return outcome
      }
      const mayRepeat = write.isRepeatable || error.details.done === 'unknown'
      if (outcome === 'undecided' || !mayRepeat) throw undecidedFailure(write, error)
      if (attempt === options.retries) throw notDoneFailure(write, error)
      await renew(write, error)
      await options.notice(`${error.message}; ${subject} was not ${verb}, retrying`)
    }
  }
}

/** Somebody may have changed the record while the write was looked for. */
async function renew(write: Write, lost: Failure): Promise<void> {
  try {
    await write.renew?.()
  } catch (error) {
    if (error instanceof Failure && error.kind !== 'conflict') throw undecidedFailure(write, lost, error)
    throw error
  }
}

const isLost = ({ details: { done } }: Failure): boolean => done === 'unknown' || done === 'late'

async function reconcileTwice({ pause, grace }: SendOptions, write: Write, lost: Failure): Promise<WriteOutcome> {
  try {
    const outcome = await write.reconcile()
    if (outcome !== 'not done') return outcome
    await pause(grace())
    return await write.reconcile()
  } catch (error) {
    if (error instanceof Failure) throw undecidedFailure(write, lost, error)
    throw error
  }
}

function undecidedFailure({ subject, verb, command, otherwise }: Write, lost: Failure, cause?: Failure): Failure {
  const kind = cause?.kind === 'interrupted' ? 'interrupted' : lost.kind
  return new Failure(kind, `${lost.message}; ${subject} may have been ${verb}`, {
    ...lost.details,
    ...(!cause && otherwise && { otherwise }),
    // The reason why calctl could not look it up may still be there.
    hint: [
      `before you try again, check with: ${command}`,
      ...(cause?.kind === 'settings' ? [cause.details.hint] : []),
      ...(cause || !otherwise ? [] : [otherwise]),
    ].join('; '),
  })
}

function notDoneFailure({ subject, verb }: Write, lost: Failure): Failure {
  return new Failure(lost.kind, `${lost.message}; ${subject} was not ${verb}`, {
    ...lost.details,
    hint: 'try again later',
    done: 'no',
  })
}
