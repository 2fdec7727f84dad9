/** A text as one word of a command line, for people to paste: in quotes where a shell would take it for more. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

const formulaStart = /^'*(?:[=+\-@\t\r\n＝＋－＠]|\s+@clear\s*$)/

/** Spreadsheet programs run cells that begin like this as formulas (CSV injection), and take them as text after an apostrophe. */
export const escapeFormula = (text: string): string => (formulaStart.test(text) ? `'${text}` : text)

export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && formulaStart.test(text) ? text.slice(1) : text
