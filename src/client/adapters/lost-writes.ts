import { Failure } from '../../base/failure.ts'
import { shellWord } from '../../base/text/escaping.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { namedRecord, theRecord } from '../../contract/resource-words.ts'
import type { CalendarApi, Ref, Renew, Values, WordPress } from '../client.ts'
import { listAllCommand } from '../http/problems/unavailable.ts'
import type { RetryOptions } from '../http/retry.ts'
import type { PatchedSite, WriteOutcome } from './reconcile.ts'
import type { SendOptions, SentWrite } from './undecided-writes.ts'

/** How long a service gets at least to finish a write before the second check, in ms. */
const shortestGrace = 2000

/** Sends a write. If no answer comes, finds out whether it was carried out. */
type SendUntilKnown = (write: SentWrite) => Promise<Answer>

const reconcile = () => import('./reconcile.ts')

/** A client that finds out whether a write was carried out when no answer to it came. It sends no write again before that check. */
export function withReconciliation(client: CalendarApi, options: RetryOptions): CalendarApi {
  let slowest = 0
  const grace = () => Math.max(2 * slowest, shortestGrace)
  const sendUntilKnown: SendUntilKnown = write => {
    const send = async () => {
      const started = options.now()
      const answer = await write.send()
      slowest = Math.max(slowest, options.now() - started)
      return answer
    }
    return sendWrite({ ...options, grace }, { ...write, send })
  }

  return {
    ...client,
    create: createsOf(client, options, sendUntilKnown),
    update: (resource, ref, values, renew) =>
      sendUpdate(sendUntilKnown, {
        ...describe(resource, ref),
        values,
        renew,
        send: (values, renew) => client.update(resource, ref, values, renew),
        reconcile: async values => (await reconcile()).findUpdated(client, resource, ref, values),
      }),
    async wordpress(language, options) {
      const wordpress = await client.wordpress(language, options)
      return wordpress && { ...wordpress, patch: patchesOf({ client, wordpress, language }, sendUntilKnown) }
    },
    delete: (resource, ref, values = {}, renew) =>
      sendUntilKnown({
        send: () => client.delete(resource, ref, values, renew),
        reconcile: async () => (await reconcile()).findDeleted(client, resource, ref, values),
        renew,
        isRepeatable: true,
        verb: 'delete',
        ...describe(resource, ref),
      }),
  }
}

/** Creates. One whose answer was lost is looked for among the records that this client has not created itself. */
function createsOf(client: CalendarApi, options: RetryOptions, sendUntilKnown: SendUntilKnown): CalendarApi['create'] {
  // Posts and terms number their IDs separately.
  const created = { posts: emptyCreated(), terms: emptyCreated() }
  return async (resource, values) => {
    const ours = resource.trashable ? created.posts : created.terms
    const { newest } = ours
    const sent = options.now()
    const isTaken = (id: number) => ours.ids.has(id)
    const attempt = { resource, values, sent, newest, now: options.now, isTaken, rewrite: client.update }
    let answeredId: number | undefined
    const record = await sendUntilKnown({
      send: () =>
        client.create(resource, values).catch(error => {
          if (error instanceof Failure) answeredId = error.details.answeredId
          throw error
        }),
      reconcile: async () => (await reconcile()).findCreated(client, { ...attempt, answeredId }),
      isRepeatable: false,
      record: theRecord(resource.name),
      verb: 'create',
      command: `${listAllCommand(resource, client.calendar)} --search ${shellWord(String(values[resource.title]))}`,
    })
    ours.ids.add(record.id)
    ours.newest = Math.max(ours.newest ?? 0, record.id)
    return record
  }
}

const patchesOf =
  (site: PatchedSite, sendUntilKnown: SendUntilKnown): WordPress['patch'] =>
  (resource, id, values, renew) =>
    sendUpdate(sendUntilKnown, {
      ...describe(resource, { id }),
      values,
      renew,
      send: (values, renew) => site.wordpress.patch(resource, id, values, renew),
      reconcile: async values => (await reconcile()).findPatched(site, resource, id, values),
      otherwise: phrase('or leave wp/v2 out with: --via events'),
    })

/** Sends an update through either API. If its answer is lost, the values that were built last are those to look for. */
function sendUpdate(sendUntilKnown: SendUntilKnown, { values, renew, send, reconcile, ...described }: Update) {
  let latest = values
  const renewed =
    renew &&
    (async () => {
      latest = await renew()
      return latest
    })
  return sendUntilKnown({
    ...described,
    send: () => send(latest, renewed),
    reconcile: () => reconcile(latest),
    renew: renewed,
    isRepeatable: true,
    verb: 'change',
  })
}

/** An update, and how to send it and look for it. */
interface Update extends Pick<SentWrite, 'renew' | 'record' | 'command' | 'otherwise'> {
  readonly values: Values
  send(values: Values, renew: Renew | undefined): Promise<Answer>
  reconcile(values: Values): Promise<WriteOutcome>
}

/** The IDs of the records that this client has created. Sites number records in ascending order. */
const emptyCreated = () => ({ ids: new Set<number>(), newest: undefined as number | undefined })

function describe({ name }: Resource, ref: Ref): Pick<SentWrite, 'record' | 'command'> {
  const key = 'id' in ref ? ref.id : ref.slug
  return { record: namedRecord(name, key), command: `calctl ${name} get ${key}` }
}

async function sendWrite(options: SendOptions, write: SentWrite): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await write.send()
    } catch (error) {
      if (!(error instanceof Failure) || !isLost(error)) throw error
      const { recordOfLost } = await import('./undecided-writes.ts')
      const done = await recordOfLost(options, write, error, attempt < options.retries)
      if (done) return done
    }
  }
}

const isLost = ({ details: { done } }: Failure): boolean => done === 'unknown' || done === 'late'
