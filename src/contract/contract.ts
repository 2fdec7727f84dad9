import { categories } from './categories.ts'
import { events } from './events.ts'
import type { ResourceName } from './field.ts'
import { organizers } from './organizers.ts'
import type { Resource } from './resource.ts'
import { tags } from './tags.ts'
import { venues } from './venues.ts'

/** All that the API has, in the order in which it is shown. */
export const resources: readonly Resource[] = [events, venues, organizers, categories, tags]

/** The resource of a name. */
export const resourceNamed = (name: ResourceName): Resource => byName[name]

const byName: Record<ResourceName, Resource> = { events, venues, organizers, categories, tags }

/** The namespace that the documentation gives every path. */
export const documentedNamespace = 'calendar/events/v1'
