import { events } from '../../contract/events.ts'
import { blankEvent } from '../blank.ts'
import { givenSlug, slugFor } from '../slug.ts'
import type { EventRow } from '../store/rows.ts'
import type { ValuesOf } from '../values.ts'
import { publication, schedule } from './dates.ts'
import { imageId } from './images.ts'
import { postIds } from './places.ts'
import { termIds } from './terms.ts'
import { plainValues, type Write } from './write.ts'

/** Writes a new event, or what was given of one that is there. */
export function writeEvent(write: Write, values: ValuesOf<typeof events.fields>, old?: EventRow): EventRow {
  const links = linked(write, values)
  const row: EventRow = {
    ...(old ?? { id: write.writing.nextId('post'), lang_code: write.context.language, ...blankEvent }),
    ...plainValues(events.fields, values, blankEvent),
    ...publication(write, values, old),
    ...schedule(write, values, old),
    ...links,
    slug: givenSlug(values.slug, old?.slug),
  }
  const named = { ...row, slug: slugFor(write.context.store, 'events', row, row.title) }
  write.writing.put('events', named)
  return named
}

/** The records that the given values link to, made where they are not there yet. */
function linked(write: Write, { author, categories, tags, venue, organizer, image }: ValuesOf<typeof events.fields>) {
  return {
    ...(author !== undefined && { author: author ?? blankEvent.author }),
    ...(categories !== undefined && { categories: termIds(write, 'categories', categories ?? []) }),
    ...(tags !== undefined && { tags: termIds(write, 'tags', tags ?? []) }),
    ...(venue !== undefined && { venue: postIds(write, 'venues', venue ?? []).at(0) ?? null }),
    ...(organizer !== undefined && { organizer: postIds(write, 'organizers', organizer ?? []) }),
    ...(image !== undefined && { image: imageId(write, image) }),
  } satisfies Partial<EventRow>
}
