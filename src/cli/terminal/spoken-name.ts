import { phrase } from '../../base/words/phrase.ts'

/**
 * A name of the program in the language of the interface: the heading of options or of a column, what an option takes, a check of the
 * doctor, the state of a run. A name that is not in the catalog stays as it is. `test/words/catalogs.test.ts` takes most of these names
 * from the program, and compares them with the catalogs.
 */
export const spokenName = (name: string): string => phrase(name)
