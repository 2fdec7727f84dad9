/** A table that has no more names than its own: names from outside can be `constructor`, which every other object has too. */
export const lookupTable = <T extends object>(entries: T): T => Object.assign(Object.create(null), entries)
