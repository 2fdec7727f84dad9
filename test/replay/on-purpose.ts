/** Exchanges in which we answer otherwise although we could, and why. */
export const onPurpose: ReadonlyMap<string, string> = new Map()
