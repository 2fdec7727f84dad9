import { phrase } from '../../base/words/phrase.ts'

/**
 * A name of the program in the language of the interface: the heading of a group of options, what an option takes, a check of the doctor.
 * A name that is not in the catalog stays as it is. A test finds these names in the program, and compares them with the catalogs.
 */
export const spokenName = (name: string): string => phrase(name)
