/** Decodes entities with the parser that every browser has: the table of the package would be a fifth of the script. */
export function decodeHTML(text: string): string {
  const parser = document.createElement('textarea')
  // In a text area, markup is text, after a newline at its beginning that does not count.
  parser.innerHTML = `\n${text.replaceAll('<', '&lt;')}`
  return parser.textContent
}
