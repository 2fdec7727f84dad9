import { events } from '../../contract/events.ts'
import type { Write } from '../dialect.ts'
import { givenSlug } from '../slug.ts'
import { blankEvent } from '../store/blank.ts'
import type { EventRow } from '../store/rows.ts'
import type { EventValues } from '../values.ts'
import { publication } from './dates.ts'
import { imageId } from './images.ts'
import { plainValues } from './write.ts'

/** Writes a new event, or what was given of one that is there. */
export function writeEvent(write: Write, values: EventValues, old?: EventRow): EventRow {
  const links = linked(write, values)
  const row: EventRow = {
    ...(old ?? { id: write.writing.nextId('post'), lang_code: write.context.language, ...blankEvent }),
    ...plainValues(events.fields, values, blankEvent),
    ...publication(write, values, old),
    ...write.dialect.eventTimes(write, values, old),
    ...links,
    slug: givenSlug(values.slug, old?.slug),
  }
  const named = { ...row, slug: write.dialect.slugFor(write.context, 'events', row, row.title) }
  write.writing.put('events', named)
  return named
}

/** The records that the given values link to, made where they are not there yet. */
function linked(write: Write, { author, categories, tags, venue, organizer, image }: EventValues) {
  return {
    ...(author !== undefined && { author: author ?? blankEvent.author }),
    ...(categories !== undefined && { categories: write.dialect.termIds(write, 'categories', categories ?? []) }),
    ...(tags !== undefined && { tags: write.dialect.termIds(write, 'tags', tags ?? []) }),
    ...(venue !== undefined && { venue: write.dialect.placeIds(write, 'venues', venue ?? []).at(0) ?? null }),
    ...(organizer !== undefined && { organizer: write.dialect.placeIds(write, 'organizers', organizer ?? []) }),
    ...(image !== undefined && { image: imageId(write, image) }),
  } satisfies Partial<EventRow>
}
