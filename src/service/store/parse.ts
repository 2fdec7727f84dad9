import { Failure } from '../../failure.ts'
import { formatVersion } from './text.ts'

/** Sees that a file is JSON, a calendar, and of this version; what stands in it is not checked. */
export function parse(file: string, bytes: Buffer): object {
  const data = parseJson(file, bytes.toString('utf8'))
  if (typeof data !== 'object' || data === null || !('calctl' in data))
    throw new Failure('settings', `${file} is not a calendar of calctl`, {
      hint: `a calendar file begins with {"calctl": ${formatVersion}, …}; name another file, or one that does not exist yet`,
    })
  if (data.calctl === formatVersion) return data
  throw new Failure('settings', `${file} is from a newer calctl: it says "calctl": ${JSON.stringify(data.calctl)}`, {
    hint: `this one reads "calctl": ${formatVersion}; update it. The file was left as it is`,
  })
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const before = text.slice(0, soundLength(text)).split('\n')
    const where = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
    throw new Failure('settings', `${file} is not valid JSON: ${where}`, { hint: 'correct it there, then try again' })
  }
}

/** How much of a text could be the beginning of JSON. Node says only sometimes where it stopped. */
function soundLength(text: string): number {
  let [sound, unsound] = [0, text.length + 1]
  while (unsound - sound > 1) {
    const middle = (sound + unsound) >> 1
    if (isBeginning(text.slice(0, middle))) sound = middle
    else unsound = middle
  }
  return sound
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const { message } = error as SyntaxError
    return /end of JSON|Unterminated/.test(message) || message.includes(`at position ${text.length}`)
  }
}
