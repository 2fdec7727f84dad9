import type { Answer, Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import type { Client, Ref } from './client.ts'
import type { WriteOutcome } from './reconcile.ts'
import type { RetryOptions } from './retry.ts'
import { listAllCommand } from './unavailable.ts'

/** One write: how it is sent, how it is found out whether it was done, and how that is told. */
interface Write {
  send(): Promise<Answer>
  look(): Promise<WriteOutcome>
  /** Whether sending it twice comes to the same as sending it once, even where the first is still on its way. */
  readonly isRepeatable: boolean
  /** `the event` */
  readonly what: string
  /** `created` */
  readonly done: string
  /** The command that shows what became of it. */
  readonly command: string
}

/** How long a service gets to finish what it was doing before it is looked at again, in ms. */
const grace = 2000

/** A client that finds out what became of a write whose answer was lost. It never sends one again without having looked. */
export function withReconciliation(client: Client, patience: RetryOptions): Client {
  const created = { posts: nothingYet(), terms: nothingYet() }
  const lookUp = () => import('./reconcile.ts')

  return {
    ...client,
    async create(resource, values) {
      const ours = resource.trashable ? created.posts : created.terms
      const [sent, newest] = [patience.now(), ours.newest]
      const record = await settled(patience, {
        send: () => client.create(resource, values),
        look: async () =>
          (await lookUp()).findCreated(client, {
            resource,
            values,
            sent,
            newest,
            now: patience.now,
            isTaken: id => ours.ids.has(id),
          }),
        isRepeatable: false,
        what: `the ${resource.singular}`,
        done: 'created',
        command: `${listAllCommand(resource)} --search ${quoted(String(values[resource.title]))}`,
      })
      ours.ids.add(record.id)
      ours.newest = Math.max(ours.newest ?? 0, record.id)
      return record
    },
    update: (resource, ref, values) =>
      settled(patience, {
        send: () => client.update(resource, ref, values),
        look: async () => (await lookUp()).findUpdated(client, resource, ref, values),
        isRepeatable: true,
        done: 'changed',
        ...existing(resource, ref),
      }),
    delete: (resource, ref, values = {}) =>
      settled(patience, {
        send: () => client.delete(resource, ref, values),
        look: async () => (await lookUp()).findDeleted(client, resource, ref, values),
        isRepeatable: true,
        done: 'deleted',
        ...existing(resource, ref),
      }),
  }
}

/** The IDs that this client got as answers, in a sequence that only grows. */
interface Created {
  readonly ids: Set<number>
  newest: number | undefined
}

const nothingYet = (): Created => ({ ids: new Set(), newest: undefined })

function existing({ name, singular }: Resource, ref: Ref): Pick<Write, 'what' | 'command'> {
  const key = 'id' in ref ? ref.id : ref.slug
  return { what: `${singular} ${key}`, command: `calctl ${name} get ${key}` }
}

const quoted = (text: string): string => `"${text.replace(/["\\$`]/g, '\\$&')}"`

async function settled(patience: RetryOptions, write: Write): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await write.send()
    } catch (error) {
      if (!(error instanceof Failure) || !isLost(error)) throw error
      const found = await lookTwice(patience, write, error)
      if (typeof found === 'object') {
        await patience.notice(`${error.message}; but ${write.what} was ${write.done}`)
        return found
      }
      const mayRepeat = write.isRepeatable || error.details.done === 'unknown'
      if (found === 'undecided' || !mayRepeat) throw unknown(write, error)
      if (attempt === patience.retries) throw notDone(write, error)
      await patience.notice(`${error.message}; ${write.what} was not ${write.done}, trying again`)
    }
  }
}

const isLost = ({ details: { done } }: Failure): boolean => done === 'unknown' || done === 'late'

async function lookTwice({ pause }: RetryOptions, write: Write, lost: Failure): Promise<WriteOutcome> {
  try {
    const found = await write.look()
    if (found !== 'not done') return found
    await pause(grace)
    return await write.look()
  } catch (error) {
    if (error instanceof Failure) throw unknown(write, lost, error)
    throw error
  }
}

function unknown({ what, done, command }: Write, lost: Failure, because?: Failure): Failure {
  const kind = because?.kind === 'interrupted' ? 'interrupted' : lost.kind
  return new Failure(kind, `${lost.message}; unknown: ${what} may have been ${done}`, {
    ...lost.details,
    hint: `before trying again see: ${command}`,
  })
}

function notDone({ what, done }: Write, lost: Failure): Failure {
  return new Failure(lost.kind, `${lost.message}; ${what} was not ${done}`, {
    ...lost.details,
    hint: 'try again in a while',
    done: 'no',
  })
}
