import type { Resource } from './resource.ts'

/** A value that a site cannot write, and what to do instead. */
export interface Impossible {
  readonly field: string
  readonly reason: string
  readonly wayOut: string
  /** Whether WordPress's own API can do it. */
  readonly patchable: boolean
  /** Whether the site would show something else, whichever API has written it. */
  readonly shownWrong: boolean
  /** The value that a file means instead; undefined if there is none. */
  readonly meant: unknown
}

/**
 * Which of these values a site with The Events Calendar cannot write to a record that will have this status; for values of a file,
 * also those that it would not show as they are meant.
 */
export function impossibleValues(
  resource: Resource,
  values: Readonly<Record<string, unknown>>,
  {
    status,
    isPatch,
    isFile = false,
  }: { readonly status: string; readonly isPatch: boolean; readonly isFile?: boolean },
): Impossible[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const restriction = resource.fields[name]?.site?.cannot
    const forbids = restriction?.forbids(value, status) || (isFile && restriction?.misleads?.(value))
    if (!restriction || !forbids || (restriction.onlyPatch && !isPatch)) return []
    const { reason, wayOut, everywhere, shownWrong = false, readAs } = restriction
    const sentences = { reason: reason(value), wayOut: wayOut(value) }
    return [{ field: name, ...sentences, patchable: !everywhere, shownWrong, meant: readAs?.(value) }]
  })
}
