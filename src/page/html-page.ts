import { escapeXml } from '../base/text/escaping.ts'

export interface HtmlPage {
  readonly title: string
  readonly language: string
  /** The path below which the files of pages are. */
  readonly root?: string
  /** More for the head of the page, as HTML. */
  readonly head?: string
  readonly bodyAttributes?: Readonly<Record<string, string>>
  /** As HTML. */
  readonly body: string
}

/** A page with what all pages share: charset, width, colours of the device, and the style sheet. */
export function htmlPage({ title, language, root = '', head = '', bodyAttributes = {}, body }: HtmlPage): string {
  const attributes = Object.entries(bodyAttributes).map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeXml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}/__page/page.css">
${head}
<body${attributes.join('')}>
${body}
</html>
`
}
