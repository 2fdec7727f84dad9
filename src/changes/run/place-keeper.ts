import { asFailure, conflict, type Failure } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Client } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { recordKey } from '../../contract/resource.ts'
import { namedRecord } from '../../contract/resource-words.ts'
import { hasSigns } from '../plan/identity.ts'
import type { Plan, Step } from '../plan/plan.ts'
import { type PublishedPlace, placesPublishedBy, statusGivenBack } from '../plan/published-places.ts'
import type { Journal } from './journal-writer.ts'

/** Remembers the places that a site publishes along with the events of a run, and gives them their status back at its end. */
export interface PlaceKeeper {
  /** The places that a step makes public and that are not known yet, for the journal. Must be asked before the step is sent. */
  note(step: Step): readonly PublishedPlace[]
  /** Gives places their status back that nobody wanted to publish; the failures of those that stay public. */
  giveBack(): Promise<Failure[]>
}

/** `earlier` are the places that sessions of the run before this one left public, by `recordKey`. */
export function createPlaceKeeper(
  plan: Plan,
  { client, journal }: { readonly client: Client; readonly journal: Journal | undefined },
  earlier: ReadonlyMap<string, PublishedPlace> = new Map(),
): PlaceKeeper {
  const places = new Map(earlier)
  // The first step that is sent tells how a place was before the run.
  const isNew = (place: PublishedPlace): boolean => {
    const known = places.get(recordKey(place.resource, place.id))
    return known === undefined || (place.isWanted === true && !known.isWanted)
  }
  return {
    note(step) {
      if (!client.capabilities.touchesOthers) return []
      const found = placesPublishedBy(plan, step).filter(isNew)
      for (const place of found) places.set(recordKey(place.resource, place.id), place)
      return found
    },
    async giveBack() {
      const failures: Failure[] = []
      for (const place of places.values()) {
        if (place.isWanted) continue
        const { resource, id } = place
        try {
          await giveStatusBack(client, place)
          journal?.write({ gaveBack: { resource, id } })
        } catch (error) {
          failures.push(stillPublic(place, asFailure(error)))
        }
      }
      return failures
    },
  }
}

async function giveStatusBack(client: Client, place: PublishedPlace): Promise<void> {
  const resource = resourceNamed(place.resource)
  const current = await client.get(resource, { id: place.id }, { lang_code: place.language })
  // The event was not written, or somebody has changed the place since.
  if (current.status !== 'publish' || !hasSigns(place.resource, current, place.signs)) return
  await client.patch(resource, current, await statusGivenBack(client, place))
}

const stillPublic = ({ resource, id }: PublishedPlace, { message }: Failure): Failure =>
  conflict(
    phrase('the site published {record} along with an event, and it could not get its earlier status back: {reason}', {
      record: namedRecord(resource, id),
      reason: message,
    }),
    phrase('somebody who may edit it can take it back with: {command}', {
      command: `calctl ${resource} update ${id} --status draft`,
    }),
  )
