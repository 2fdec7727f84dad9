/** Draws what a terminal shows, with its colours, as an SVG: a dark window of monospace text. */
export function pictureOf(title: string, screen: string): string {
  const lines = screen.replace(/\n$/, '').split('\n')
  const columns = Math.max(
    ...lines.map(line => runsOf(line).reduce((end, { column, text }) => Math.max(end, column + text.length), 0)),
  )
  const width = Math.ceil(columns * cell.width + 2 * margin)
  const height = lines.length * cell.height + 2 * margin
  const texts = lines.flatMap((line, row) => {
    const y = margin + row * cell.height + baseline
    return runsOf(line).map(({ column, text, style }) => {
      const [x, length] = [margin + column * cell.width, text.length * cell.width].map(value => value.toFixed(1))
      const weight = style.bold ? ' font-weight="bold"' : ''
      return `<text x="${x}" y="${y}" textLength="${length}" fill="${style.color}"${weight}>${escaped(text)}</text>`
    })
  })
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${colors.background}"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" xml:space="preserve">`,
    ...texts,
    '</g>',
    '</svg>',
  ].join('\n')}\n`
}

const cell = { width: 7.8, height: 19 }
const baseline = 14
const margin = 16

/** The colours of a terminal by their SGR codes; 39 is the default. */
const colors = { background: '#0d1117', text: '#e6edf3', faint: '#8b949e' }
const foreground: Record<string, string> = {
  31: '#ff7b72',
  32: '#7ee787',
  33: '#e3b341',
  34: '#79c0ff',
  35: '#d2a8ff',
  36: '#76e3ea',
  90: colors.faint,
}

interface Style {
  color: string
  bold: boolean
}

interface Run {
  column: number
  text: string
  style: Style
}

/** Adjacent words of one style. Spaces between words are not drawn, they only move the column. */
function runsOf(line: string): Run[] {
  const runs: Run[] = []
  let style: Style = { color: colors.text, bold: false }
  let column = 0
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with a control character
  for (const [, codes, text = ''] of line.matchAll(/\u001b\[([\d;]*)m|([^\u001b]+)/g)) {
    if (codes !== undefined) {
      for (const code of codes.split(';')) style = styled(style, code)
      continue
    }
    for (const { 0: words, index } of text.matchAll(/\S+(?: \S+)*/g))
      runs.push({ column: column + index, text: words, style })
    column += text.length
  }
  return runs
}

function styled(style: Style, code: string): Style {
  if (code === '1') return { ...style, bold: true }
  if (code === '22') return { ...style, bold: false, color: style.color === colors.faint ? colors.text : style.color }
  if (code === '2') return { ...style, color: colors.faint }
  if (code === '39') return { ...style, color: colors.text }
  if (code === '0' || code === '') return { color: colors.text, bold: false }
  return { ...style, color: foreground[code] ?? style.color }
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
