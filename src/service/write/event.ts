import { events } from '../../contract/events.ts'
import { blankEvent } from '../blank.ts'
import { givenSlug } from '../slug.ts'
import type { EventRow } from '../store/rows.ts'
import type { EventValues } from '../values.ts'
import { publication } from './dates.ts'
import { imageId } from './images.ts'
import { plainValues, type Write } from './write.ts'

/** Writes a new event, or what was given of one that is there. */
export function writeEvent(write: Write, values: EventValues, old?: EventRow): EventRow {
  const links = linked(write, values)
  const row: EventRow = {
    ...(old ?? { id: write.writing.nextId('post'), lang_code: write.context.language, ...blankEvent }),
    ...plainValues(events.fields, values, blankEvent),
    ...publication(write, values, old),
    ...write.manner.schedule(write, values, old),
    ...links,
    slug: givenSlug(values.slug, old?.slug),
  }
  const named = { ...row, slug: write.manner.slugFor(write.context, 'events', row, row.title) }
  write.writing.put('events', named)
  return named
}

/** The records that the given values link to, made where they are not there yet. */
function linked(write: Write, { author, categories, tags, venue, organizer, image }: EventValues) {
  return {
    ...(author !== undefined && { author: author ?? blankEvent.author }),
    ...(categories !== undefined && { categories: write.manner.termIds(write, 'categories', categories ?? []) }),
    ...(tags !== undefined && { tags: write.manner.termIds(write, 'tags', tags ?? []) }),
    ...(venue !== undefined && { venue: write.manner.postIds(write, 'venues', venue ?? []).at(0) ?? null }),
    ...(organizer !== undefined && { organizer: write.manner.postIds(write, 'organizers', organizer ?? []) }),
    ...(image !== undefined && { image: imageId(write, image) }),
  } satisfies Partial<EventRow>
}
