import { createPages } from '../../src/page/pages.ts'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import type { Store } from '../../src/service/store/store.ts'
import { usersOf } from '../support/users.ts'
import { isLeftOut } from './left-out.ts'
import { Ids } from './player/ids.ts'
import { type Outcome, playRecording } from './player/play.ts'
import type { Recording } from './player/recording.ts'

/** The recordings took ten minutes; in the replay the clock stands still. The hours of `now` are 2 in UTC, 3 in Madrid, 4 at UTC+2. */
const ofTheRecording = /(202[68]-11-2[18])([ T+]|%20)(?:0[2-4]|09|10|22)(:|%3A)\d\d(:|%3A)\d\d/g

const beside = (text: string): string => text.replace(ofTheRecording, '$1 now')

const baseUrl = 'http://calendar.test/wp-json'
const namespace = 'tribe/events/v1'

/** The content of a new WordPress: four posts, a category, and perhaps an image. */
async function begin(store: Store, ids: Ids, poster?: string): Promise<void> {
  await store.write(writing => {
    for (let stock = 1; stock <= 4; stock++) writing.nextId('post')
    writing.nextId('term')
    if (!poster) return
    const id = writing.nextId('post')
    writing.put('images', { id, url: poster })
    ids.learn('post', 5, id)
  })
}

/** Replays a group against a new service, and compares every exchange that is not left out. */
export async function playGroup(recording: Recording): Promise<Outcome[]> {
  const { zone, poster, clock } = recording
  const store = memoryStore({ language: 'en', timezone: siteZone(zone), quirks: true })
  const ids = new Ids()
  await begin(store, ids, poster)
  let moment = Date.parse(clock ?? '2026-11-21T02:00:00Z')
  const service = createService({
    store,
    now: () => new Date(moment),
    baseUrl,
    namespace,
    perPage: 10,
    quirks: true,
    users: usersOf('admin', 'editor:editor', 'author:author', 'contributor:contributor', 'subscriber:subscriber'),
  })
  const pages = createPages({
    service,
    namespace,
    baseUrl,
    access: 'users',
    quirks: true,
    site: { ...store.site, name: 'Agenda de prova' },
    now: () => new Date(moment),
  })
  return playRecording(recording, {
    send: async request => {
      const { path, query = '' } = request
      const page = query.includes('ical=') ? await pages(path.replace('http://calendar.test', ''), query) : undefined
      return page ?? service(request)
    },
    baseUrl,
    namespace,
    ids,
    moments: { recorded: beside, played: beside },
    credentials: who => ({ authorization: `Basic ${Buffer.from(nameAndPassword(who)).toString('base64')}` }),
    plays: step => !('request' in step) || !isLeftOut(step) || step.response.status < 300,
    compares: exchange => !isLeftOut(exchange),
    tick: () => {
      if (clock) moment += 1000
    },
    async changeByHand({ event, post_password }) {
      const row = store.table('events').get(ids.ours('post', event))
      if (row) await store.write(writing => writing.put('events', { ...row, post_password }))
    },
  })
}

const siteZone = (zone: string): string => (zone === 'UTC' ? 'UTC+0' : zone.replace('+sitemode', ''))

/** `<admin>` and the like are users of that name; `<other:NAME:PASSWORD>` has this name and password. */
const nameAndPassword = (who: string): string =>
  who.startsWith('other:') ? who.slice('other:'.length) : `${who}:secret`
