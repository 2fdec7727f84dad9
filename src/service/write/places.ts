import { organizers } from '../../contract/organizers.ts'
import { venues } from '../../contract/venues.ts'
import { blankOrganizer, blankVenue } from '../blank.ts'
import type { Values } from '../context.ts'
import { find } from '../find.ts'
import type { OrganizerRow, VenueRow } from '../store/rows.ts'
import type { ValuesOf } from '../values.ts'
import { publication } from './dates.ts'
import { imageId } from './images.ts'
import { plainValues, type Write } from './write.ts'

/** Writes a new venue, or what was given of one that is there. */
export function writeVenue(write: Write, values: ValuesOf<typeof venues.fields>, changed?: VenueRow): VenueRow {
  const old = changed ?? write.manner.twin(write.context, 'venues', values.venue ?? '')
  const row: VenueRow = {
    ...(old ?? { ...begun(write), ...blankVenue }),
    ...plainValues(venues.fields, values, blankVenue),
    ...post(write, values, old),
  }
  const named = { ...row, slug: write.manner.slugFor(write.context, 'venues', row, row.venue) }
  write.writing.put('venues', named)
  return named
}

/** Writes a new organizer, or what was given of one that is there. */
export function writeOrganizer(
  write: Write,
  values: ValuesOf<typeof organizers.fields>,
  changed?: OrganizerRow,
): OrganizerRow {
  const old = changed ?? write.manner.twin(write.context, 'organizers', values.organizer ?? '')
  const row: OrganizerRow = {
    ...(old ?? { ...begun(write), ...blankOrganizer }),
    ...plainValues(organizers.fields, values, blankOrganizer),
    ...post(write, values, old),
  }
  const named = { ...row, slug: write.manner.slugFor(write.context, 'organizers', row, row.organizer) }
  write.writing.put('organizers', named)
  return named
}

/** The ids of linked venues or organizers; inline records are created. */
export function postIds(write: Write, of: 'venues' | 'organizers', links: readonly (number | Values)[]): number[] {
  const create = of === 'venues' ? writeVenue : writeOrganizer
  const ids = links.map(link =>
    typeof link === 'number' ? find(write.context, of, { id: link }).id : create(write, link).id,
  )
  return [...new Set(ids)]
}

const begun = ({ context, writing }: Write) => ({ id: writing.nextId('post'), lang_code: context.language })

type Common = Pick<ValuesOf<typeof organizers.fields>, 'author' | 'image' | 'status' | 'date' | 'date_utc'>

const post = (write: Write, values: Common, old?: VenueRow | OrganizerRow) => ({
  ...publication(write, values, old),
  ...(values.author !== undefined && { author: values.author ?? blankVenue.author }),
  ...(values.image !== undefined && { image: imageId(write, values.image) }),
})
