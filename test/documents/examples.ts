import type { Shown, Step } from './terminal.ts'

/** A command in a `console` block, with the output that the document shows below it. */
interface Example {
  command: string
  output: string
}

type Part = { text: string } | { file: string; text: string; fence: string } | { examples: readonly Example[] }

/**
 * Divides a document into prose, files to save (```` ```csv season.csv ````) and sessions (```` ```console ````). Fences inside
 * an HTML comment count too: they are run and not shown, for what a page needs and a reader does not.
 */
function partsOf(document: string): Part[] {
  const parts: Part[] = []
  let end = 0
  for (const match of document.matchAll(/^```(\w+)(?: ([\w.-]+))?\n(.*?)^```$/gms)) {
    const [all, language = '', file, body = ''] = match
    if (language !== 'console' && file === undefined) continue
    const start = match.index + all.indexOf('\n') + 1
    parts.push({ text: document.slice(end, start) })
    end = start + body.length
    if (file === undefined) parts.push({ examples: examplesOf(body) })
    else parts.push({ file, text: body, fence: language })
  }
  return [...parts, { text: document.slice(end) }]
}

/** `$ ` begins a command, `> ` goes on with it, any other line is output. */
function examplesOf(session: string): Example[] {
  const examples: Example[] = []
  for (const line of session.split('\n').slice(0, -1)) {
    const last = examples.at(-1)
    if (line.startsWith('$ ')) examples.push({ command: line.slice(2), output: '' })
    else if (last === undefined) throw new Error(`a console block begins with a command, not with: ${line}`)
    else if (last.output === '' && line.startsWith('> ')) last.command += `\n${line.slice(2)}`
    else last.output += `${line}\n`
  }
  return examples
}

/** The steps of a document, in order. */
export function stepsOf(document: string): Step[] {
  return partsOf(document).flatMap((part): Step[] => {
    if ('examples' in part) return part.examples.map(({ command }) => ({ command }))
    return 'file' in part ? [{ file: part.file, text: part.text }] : []
  })
}

/** The document with the present output of its commands. Output that matches with `...` for some lines is not changed. */
export function withOutput(document: string, shown: readonly Shown[]): string {
  let next = 0
  return partsOf(document)
    .map(part => {
      if (!('examples' in part)) return part.text
      return part.examples
        .map(({ command, output }) => {
          const actual = shown[next++]?.output ?? ''
          return `$ ${command.replaceAll('\n', '\n> ')}\n${isElided(output, actual) ? output : actual}`
        })
        .join('')
    })
    .join('')
}

/** Whether a text with lines of `...` matches another one. */
function isElided(text: string, whole: string): boolean {
  const pattern = text
    .split(/^\.\.\.\n/m)
    .map(piece => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('(?:.*\\n)*')
  return new RegExp(`^${pattern}$`).test(whole)
}

/** Commands that crash, or end with another status than 0 although the document does not ask for it with `echo $?`. */
export function unexpectedEnds(document: string, shown: readonly Shown[]): string[] {
  const commands = stepsOf(document).flatMap(step => ('command' in step ? [step.command] : []))
  return commands.flatMap((command, index) => {
    const { status = 0, output = '' } = shown[index] ?? {}
    const isAskedFor = commands[index + 1] === 'echo $?'
    const isCrash = /^ +at .+:\d+:\d+\)?$/m.test(output)
    return (status === 0 || isAskedFor) && !isCrash ? [] : [`${command} ends with ${status}: ${output}`]
  })
}
