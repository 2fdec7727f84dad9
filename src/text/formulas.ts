const formulaStart = /^'*(?:[=+\-@\t\r\n＝＋－＠]|\s+@clear\s*$)/

/** Spreadsheet programs run cells that begin like this as formulas (CSV injection), and take them as text after an apostrophe. */
export const escapeFormula = (text: string): string => (formulaStart.test(text) ? `'${text}` : text)

export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && formulaStart.test(text) ? text.slice(1) : text
