import type { Context } from '../dialect.ts'
import type { Asked, Row, Test } from './comparisons.ts'

/** How far from a point a venue may lie to be there, in degrees of latitude: 25 km. */
const reach = 25 / 111.2

interface Point {
  readonly lat: number
  readonly lng: number
}

/** `geoloc` asks whether an event's venue carries coordinates, `geoloc_lat` and `geoloc_lng` together whether they are near. */
export function located({ context, name, value }: Asked): Test | undefined {
  if (typeof value === 'boolean') return row => (pointOf(context, row) !== undefined) === value
  const { geoloc_lat: lat, geoloc_lng: lng } = context.values
  // The two are one condition, which stands with the first of them.
  if (name !== 'geoloc_lat' || typeof lat !== 'number' || typeof lng !== 'number') return undefined
  return row => isNear(pointOf(context, row), { lat, lng })
}

function pointOf({ store }: Context, row: Row): Point | undefined {
  if (!('title' in row) || row.venue === null) return undefined
  const { geo_lat: lat, geo_lng: lng } = store.table('venues').get(row.venue) ?? {}
  return typeof lat === 'number' && typeof lng === 'number' ? { lat, lng } : undefined
}

const isNear = (point: Point | undefined, { lat, lng }: Point): boolean =>
  point !== undefined && Math.hypot(point.lat - lat, (point.lng - lng) * Math.cos((lat * Math.PI) / 180)) <= reach
