import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Failure } from '../../../base/failure.ts'
import { inputProblem, reason } from '../../../base/fs.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { type Recording, readRecording, seedFile } from '../../../testing/parity/recording.ts'
import type { World } from '../../world.ts'

/** The recordings in a file, or in all NDJSON files of a folder, in the order of their names. */
export function readRecordings({ cwd }: Pick<World, 'cwd'>, name: string): Recording[] {
  const files = filesIn(resolve(cwd, name), name)
  if (files.length === 0) throw unreadable(name, phrase('it has no .ndjson files'))
  return files.map(file => {
    return readRecording(textOf(file), file, () => textOf(join(dirname(file), seedFile)))
  })
}

function textOf(file: string): string {
  const problem = inputProblem(file)
  if (problem !== undefined) throw unreadable(file, problem)
  const text = readFileSync(file, 'utf8')
  if (text.trim() === '') throw unreadable(file, phrase('it is empty'))
  return text
}

function filesIn(path: string, name: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path]
    return readdirSync(path)
      .filter(file => file.endsWith('.ndjson') && file !== seedFile)
      .toSorted()
      .map(file => join(path, file))
  } catch (error) {
    throw unreadable(name, reason(error as Error, 'read'))
  }
}

const unreadable = (name: string, problem: string): Failure =>
  new Failure('usage', phrase('cannot read {name}: {problem}', { name, problem }), {
    hint: phrase('record a site with: calctl verify --record FOLDER'),
  })
