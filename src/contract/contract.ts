/**
 * The API as data: every resource with its fields, filters and examples, and what follows from them. Nothing here talks to a
 * service or knows of the command line. A field is one line in the file of its resource: commands, files, the service, its
 * calendar file and `/doc` know it from there. A filter is one line, too; a new comparison is a line in `filter.ts` and a
 * function in `service/comparisons.ts`.
 */

import { events } from './events.ts'
import type { ResourceName } from './field.ts'
import { organizers } from './organizers.ts'
import type { Resource } from './resource.ts'
import { categories, tags } from './terms.ts'
import { venues } from './venues.ts'

/** All resources of the API, in the order in which they are shown. */
export const resources: readonly Resource[] = [events, venues, organizers, categories, tags]

export const resourceNamed = (name: ResourceName): Resource => byName[name]

const byName: Record<ResourceName, Resource> = { events, venues, organizers, categories, tags }

/** The namespace that the documentation gives every path. */
export const documentedNamespace = 'calendar/events/v1'
