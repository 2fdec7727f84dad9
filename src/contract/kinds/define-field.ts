/**
 * Fields of each kind, as the resources of the contract are written with them: `city: text(say('Població', 'City', 'Población'))`.
 * A new kind is a file beside this one with its object, and a line here.
 */
import type { Field, Kind, ResourceName } from '../field.ts'
import type { Words } from '../languages.ts'
import { cost as costKind } from './cost-kind.ts'
import { dateTime as dateTimeKind } from './date-kind.ts'
import { image as imageKind } from './image-kind.ts'
import { choices as choicesKind, ids as idsKind, posts as postsKind, terms as termsKind } from './link-kinds.ts'
import { boolean as booleanKind, integer as integerKind, number as numberKind } from './number-kinds.ts'
import {
  choice as choiceKind,
  email as emailKind,
  slug as slugKind,
  text as textKind,
  timeZone as timeZoneKind,
  url as urlKind,
} from './text-kinds.ts'

type Extra = Omit<Partial<Field>, 'kind' | 'words'>

/** The properties of a field other than its kind are kept in its type, because the types of columns and values depend on them. */
export const fieldOf =
  <K extends Kind<unknown, unknown>>(kind: K) =>
  <const E extends Extra = object>(words: Words, extra?: E): Field & { kind: K } & E =>
    ({ kind, words, ...extra }) as Field & { kind: K } & E

export const text = fieldOf(textKind)
export const slug = fieldOf(slugKind)
export const integer = fieldOf(integerKind)
export const number = fieldOf(numberKind)
export const boolean = fieldOf(booleanKind)
export const dateTime = fieldOf(dateTimeKind)
export const timeZone = fieldOf(timeZoneKind)
export const url = fieldOf(urlKind)
export const email = fieldOf(emailKind)
export const image = fieldOf(imageKind)
export const cost = fieldOf(costKind)
export const ids = fieldOf(idsKind)

/** One of a few words. */
export const choice = <const E extends Extra = object>(words: Words, choices: readonly string[], extra?: E) =>
  fieldOf(choiceKind)(words, { choices, ...extra } as E)

/** Several choices, comma-separated. */
export const choices = (words: Words, allowed: readonly string[]) => fieldOf(choicesKind)(words, { choices: allowed })

/** Categories or tags: ids, slugs or names. */
export const terms = <const E extends Extra = object>(of: ResourceName, words: Words, extra?: E) =>
  fieldOf(termsKind)(words, { of, ...extra } as E)

/** Venues or organizers: ids, or inline records. */
export const posts = <const E extends Extra = object>(of: ResourceName, words: Words, extra?: E) =>
  fieldOf(postsKind)(words, { of, ...extra } as E)
