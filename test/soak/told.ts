/** The exit statuses that users are told about: done, differences, and failures with a sentence. Anything else is a bug. */
export const told = [0, 1, 2, 3, 4, 5, 6, 7, 8]
