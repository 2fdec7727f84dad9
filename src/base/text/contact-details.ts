/**
 * Ways to reach a venue or an organizer, in the form in which two of them are compared: people write one number, one website and one point
 * on the map in several ways. For duplicates and translations, which are found by them, and for lint.
 */
import { type ComparedName, comparedName } from './compared-names.ts'

/** A phone number as its last nine digits, so that one with the prefix of its country is the same. */
export const phoneDigits = (text: string): string => text.replace(/\D/g, '').slice(-9)

/** Host and path of a website, without `www.` and the name of its first page; undefined for what is none. */
export function websiteAddress(text: string): string | undefined {
  const [, host = '', path = ''] = /^(?:[a-z]+:\/\/)?(?:www\d?\.)?([^/?#\s]+\.[^/?#\s]+)([^?#\s]*)/i.exec(text) ?? []
  if (host === '') return undefined
  const plain = path.replace(/\/(?:index|default|home)\.\w+$/i, '').replace(/\/+$/, '')
  return `${host}${plain}`.toLowerCase()
}

/** A street address, as two are compared. */
export interface StreetAddress {
  readonly street: ComparedName
  readonly numbers: readonly string[]
}

/** Reads an address: the street is in what stands before the first comma, unless that is a number alone. */
export function streetAddress(text: string): StreetAddress {
  const plain = text.replace(/\bs\s*\/\s*n\b\.?/gi, ' ')
  const parts = plain.split(',').filter(part => /\p{L}{2}/u.test(part))
  const street = (parts[0] ?? plain).replace(/\d+\S*/g, ' ').replace(/(?<!\p{L})n(?:[úu]m)?(?:\.|º)?(?=\s*$)/iu, ' ')
  return { street: comparedName(street), numbers: (plain.match(/\d+/g) ?? []).map(number => number.replace(/^0+/, '')) }
}

/** What two addresses have in common that are likely the same, however the kind of street was written: `C/ Nou, 58`, `carrer Nou 58`. */
export const addressKey = ({ street, numbers: [number = ''] }: StreetAddress): string =>
  `${street.key} ${number}`.trim()

/** The distance of two points in km, near enough within a country. */
export function kilometresBetween(
  [north, east]: readonly [latitude: number, longitude: number],
  [otherNorth, otherEast]: readonly [latitude: number, longitude: number],
): number {
  const radians = Math.PI / 180
  const x = (east - otherEast) * radians * Math.cos(((north + otherNorth) / 2) * radians)
  const y = (north - otherNorth) * radians
  return 6371 * Math.hypot(x, y)
}
