/** A text as one word of a command line, for people to paste: in quotes where a shell would take it for more. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
