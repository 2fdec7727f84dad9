import { toUtc } from '../../base/time/zone.ts'
import { noDate } from '../../contract/post-status.ts'
import { slugOf } from '../../contract/slug.ts'
import { mayEdit, mayEditAll, mayEditTerms, mayPublish } from '../access.ts'
import type { Context } from '../dialect.ts'
import { excerpt, renderedContent, shortcodesOf, shortened, title } from '../production/wordpress-text.ts'
import { pageOf } from '../render/addresses.ts'
import type { EventRow, OrganizerRow, PostRow, PostTable, Rows, TermTable, VenueRow } from '../store/rows.ts'
import { metaOf } from './post-patch.ts'

/** The route and post type of each table. */
const postTypes = { events: 'tribe_events', venues: 'tribe_venue', organizers: 'tribe_organizer' } as const

const kinds = { events: 'event', venues: 'venue', organizers: 'organizer' } as const

/** A post as `wp/v2` answers it; with `context=edit` raw texts and the password too. */
export function postAnswer<T extends PostTable>(context: Context, of: T, row: Rows[T], isEditing: boolean): object {
  const type = postTypes[of]
  const link = pageOf(context, kinds[of], row)
  const [name, content, short] = textsOf(row)
  const password = 'post_password' in row ? row.post_password : ''
  const isHidden = password !== '' && !isEditing
  const raw = (text: string) => (isEditing ? { raw: text } : {})
  return {
    id: row.id,
    date: iso(row.date),
    date_gmt: iso(gmtOf(context, row.date, row.date_utc)),
    guid: { rendered: link, ...raw(link) },
    modified: iso(row.modified),
    modified_gmt: iso(gmtOf(context, row.modified, row.modified_utc)),
    ...(isEditing && { password }),
    slug: context.dialect.slug(row),
    status: row.status,
    type,
    link,
    title: { ...raw(name), rendered: title(name) },
    content: {
      ...raw(content),
      rendered: isHidden ? '' : renderedContent(content, shortcodesOf(context, row)),
      protected: password !== '',
      ...(isEditing && { block_version: /<!--\s?wp:/.test(content) ? 1 : 0 }),
    },
    excerpt: {
      ...raw(short),
      rendered: isHidden ? '' : renderedExcerpt(short, content),
      protected: password !== '',
    },
    author: row.author,
    featured_media: row.image ?? 0,
    template: '',
    meta: metaOf(of, row),
    ...('title' in row && eventParts(context, row, isEditing)),
    _links: links(context, type, row),
  }
}

/** An excerpt that was not written is made of the content. */
function renderedExcerpt(written: string, content: string): string {
  const text = excerpt(written === '' ? shortened(content) : written)
  return text === '' ? '' : `${text}\n`
}

/** Drafts that have no moment in UTC are answered with that of their wall time. */
const gmtOf = ({ store }: Context, wall: string, utc: string): string =>
  utc === noDate ? toUtc(wall, store.site.timezone) : utc

const iso = (wall: string): string => wall.replace(' ', 'T')

const textsOf = (row: EventRow | VenueRow | OrganizerRow): [name: string, content: string, excerpt: string] => {
  if ('title' in row) return [row.title, row.description, row.excerpt]
  return ['venue' in row ? row.venue : row.organizer, row.description, '']
}

function eventParts(context: Context, row: EventRow, isEditing: boolean): object {
  const tags = termsOf(context, 'tags', row.tags)
  const categories = termsOf(context, 'categories', row.categories)
  return {
    tags: tags.map(({ id }) => id),
    tribe_events_cat: categories.map(({ id }) => id),
    ...(isEditing && {
      permalink_template: `${context.baseUrl.replace(/\/wp-json$/, '')}/event/%pagename%/`,
      generated_slug: slugOf(row.title),
    }),
    class_list: [
      `post-${row.id}`,
      'tribe_events',
      'type-tribe_events',
      `status-${row.status}`,
      ...(row.post_password === '' ? [] : ['post-password-required']),
      ...(row.image === null ? [] : ['has-post-thumbnail']),
      'hentry',
      ...(row.event_status === '' ? [] : [`tribe-events-status__list-event-${row.event_status}`]),
      ...tags.map(({ slug }) => `tag-${slug}`),
      ...categories.map(({ slug }) => `tribe_events_cat-${slug}`),
      ...categories.map(({ slug }) => `cat_${slug}`),
    ],
  }
}

/** In the order of their names, as WordPress lists terms. */
const termsOf = ({ store }: Context, of: TermTable, ids: readonly number[]) =>
  ids.flatMap(id => store.table(of).get(id) ?? []).sort((one, other) => one.name.localeCompare(other.name))

/** What the caller may do with a post, by the names of WordPress's links. */
function actionsOn(context: Context, row: PostRow): string[] {
  if (!mayEdit(context, row)) return []
  const terms = 'title' in row ? ['create-tags', 'assign-tags'] : []
  const categories = 'title' in row ? ['create-tribe_events_cat', 'assign-tribe_events_cat'] : []
  return [
    ...(mayPublish(context) ? ['publish'] : []),
    ...(mayEditAll(context) ? ['unfiltered-html', 'assign-author'] : []),
    ...terms,
    ...(mayEditTerms(context, 'categories') ? categories : categories.slice(1)),
  ]
}

function links(context: Context, type: string, row: PostRow): object {
  const { id, author } = row
  const root = `${context.baseUrl}/wp/v2`
  const self = `${root}/${type}/${id}`
  const isEvent = type === 'tribe_events'
  const allow = mayEdit(context, row) ? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] : ['GET']
  return {
    self: [{ href: self, targetHints: { allow } }],
    collection: [{ href: `${root}/${type}` }],
    about: [{ href: `${root}/types/${type}` }],
    author: [{ embeddable: true, href: `${root}/users/${author}` }],
    'wp:attachment': [{ href: `${root}/media?parent=${id}` }],
    ...(isEvent && {
      'wp:term': [
        { taxonomy: 'post_tag', embeddable: true, href: `${root}/tags?post=${id}` },
        { taxonomy: 'tribe_events_cat', embeddable: true, href: `${root}/tribe_events_cat?post=${id}` },
      ],
    }),
    ...Object.fromEntries(actionsOn(context, row).map(action => [`wp:action-${action}`, [{ href: self }]])),
    curies: [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }],
  }
}
