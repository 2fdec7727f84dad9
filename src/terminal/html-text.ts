import { decodeEntities } from '../text/normalize.ts'
import { sanitize } from '../text/sanitize.ts'

/** Deeper than any page is; what is nested deeper is left out. */
const deepest = 100

/** HTML as people read it: paragraphs, lists, links with their addresses, no images. Lines are not wrapped. */
export async function htmlText(html: string): Promise<string> {
  // A text that was never HTML keeps its lines.
  if (!/<[a-z!/]/i.test(html)) return sanitize(decodeEntities(html)).trim()
  const { convert } = await import('html-to-text')
  const text = convert(html, {
    wordwrap: false,
    limits: { maxDepth: deepest },
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['<', '>'] } },
      { selector: 'img', format: 'skip' },
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(selector => ({
        selector,
        options: { uppercase: false, leadingLineBreaks: 2, trailingLineBreaks: 1 },
      })),
    ],
  })
  return sanitize(text).replace(/^\n+|\s+$/g, '')
}
