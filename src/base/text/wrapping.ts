/** Wraps a text at a width that `widthOf` measures; a longer word, such as a URL, gets its own line. */
export function wrapBy(text: string, width: number, widthOf: (text: string) => number): string {
  return text
    .split('\n')
    .map(line => {
      const lines: string[] = []
      let current = ''
      for (const word of line.trimEnd().split(' ')) {
        const longer = current === '' ? word : `${current} ${word}`
        if (current === '' || widthOf(longer) <= width) {
          current = longer
          continue
        }
        lines.push(current)
        current = word
      }
      return [...lines, current].join('\n')
    })
    .join('\n')
}

/** A command on several lines, which a shell reads as one; a space in quotes is none between words. */
export function wrapCommand(command: string, width: number): string {
  const words = command.replace(/"[^"]*"|'[^']*'/g, word => word.replaceAll(' ', '\0'))
  return wrapPlain(words, width - 2)
    .replaceAll('\n', ' \\\n')
    .replaceAll('\0', ' ')
}

/** Wraps text of our own, in which every character takes one column. */
export const wrapPlain = (text: string, width: number): string => wrapBy(text, width, ({ length }) => length)

export const indent = (text: string, by: number): string => text.replace(/^(?=.)/gm, ' '.repeat(by))
