import { setTimeout as sleep } from 'node:timers/promises'
import type { Stage } from './attack-stage.ts'
import { type Post, readPosts } from './attacked-site.ts'

/** What an editor gave a record, if the site acknowledged it; several values if it may not have been saved. */
export interface Edited {
  excerpt: Set<string>
  status: Set<string>
  password: Set<string>
}

/** What is known about the site: edits in the browser, and the events that are in no feed. */
export interface Model {
  readonly edited: Map<number, Edited>
  /** The events that are in no feed, as they were, and the websites that they may have. */
  readonly others: Map<number, { readonly post: Post; websites: Set<string>; readonly isHidden: boolean }>
  /** The events that calctl is to bring back with another status: which one it should be nobody could tell after an edit. */
  readonly restoring: Set<number>
  edits: number
  /** Whether `wp/v2` was closed: an update through the events API sends back a status that it read up to three seconds before. */
  mayOverwriteStatuses: boolean
  /** The statuses that were overwritten so: see docs/promises.md. */
  overwritten: number
}

export const statuses = ['publish', 'publish', 'draft', 'pending', 'private'] as const

/** Somebody who changes excerpts and statuses of all kinds of events in the browser. */
export async function editRecords({ site, random }: Stage, model: Model, isOver: () => boolean): Promise<void> {
  const { edited, restoring } = model
  for (let number = 1; !isOver(); number++) {
    await sleep(50 + random() * 200)
    try {
      const posts = (await readPosts(site)).filter(({ status }) => status !== 'trash')
      const post = posts[Math.floor(random() * posts.length)]
      if (!post) continue
      const name = restoring.has(post.id) ? 'excerpt' : pickOf(random, editedFields)
      const value = name === 'status' ? pickOf(random, statuses) : `Edited ${number} ${random()}`
      const known = edited.get(post.id) ?? editableOf(post)
      edited.set(post.id, known)
      known[name].add(value)
      if (value === 'private') known.password.add('')
      const { status, body } = await site.request('POST', `/wp/v2/tribe_events/${post.id}`, {
        [name]: value,
        meta: { _EventCost: post.meta._EventCost },
      })
      if (status !== 200) continue
      model.edits += 1
      known[name] = new Set([value])
      // WordPress takes the password from what is private.
      known.password = new Set([(body as Post).password])
    } catch {
      // The server was killed: the edit may have been saved or not.
    }
  }
}

const editedFields = ['excerpt', 'excerpt', 'excerpt', 'excerpt', 'status', 'password'] as const

export const editableOf = ({ excerpt, status, password }: Post): Edited => ({
  excerpt: new Set([excerpt.raw]),
  status: new Set([status]),
  password: new Set([password]),
})

export const pickOf = <T>(random: () => number, all: readonly T[]): T => all[Math.floor(random() * all.length)] as T

/** Everything that the editor was acknowledged has to be there, also in the trash. */
export async function checkEdits({ site, problems, shells, updatedWhole }: Stage, model: Model): Promise<void> {
  const { edited, others } = model
  const posts = new Map((await readPosts(site)).map(post => [post.id, post]))
  for (const [id, { excerpt, status, password }] of edited) {
    const post = posts.get(id)
    if (!post) {
      problems.push(`event ${id} is gone`)
      continue
    }
    if (!excerpt.has(post.excerpt.raw)) problems.push(`excerpt of ${id} is ${post.excerpt.raw}, not ${[...excerpt]}`)
    const isDropped = post.password === '' && shells.withoutPassword.has(id)
    if (!password.has(post.password) && !isDropped)
      problems.push(`password of ${id} is ${post.password}, not ${[...password]}`)
    if (post.status === 'trash' || status.has(post.status)) continue
    if (model.mayOverwriteStatuses || updatedWhole.has(id)) model.overwritten += 1
    else problems.push(`status of ${id} is ${post.status}, not ${[...status]}`)
  }
  for (const [id, { post: before, websites }] of others) {
    const post = posts.get(id)
    if (!post || post.status === 'trash') {
      problems.push(`event ${id}, which is in no feed, is gone`)
      continue
    }
    const website = String(post.meta._EventURL)
    if (!websites.has(website)) problems.push(`website of ${id} is ${website}, not ${[...websites]}`)
    if (unchangedOf(post) !== unchangedOf(before))
      problems.push(`event ${id} changed from ${unchangedOf(before)} to ${unchangedOf(post)} without being asked`)
  }
}

/** What nobody changes of an event that is in no feed. */
const unchangedOf = ({ title, content, meta: { _EventURL, ...meta } }: Post): string =>
  JSON.stringify([title.raw, content.raw, meta])
