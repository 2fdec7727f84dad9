import { basename } from 'node:path'
import { missing, usage } from '../../base/failure.ts'
import { shellWord } from '../../base/text/escaping.ts'
import { listOfFirst } from '../../base/text/sentence-parts.ts'
import { typos } from '../../base/text/similarity.ts'
import { phrase } from '../../base/words/phrase.ts'
import { extension, listRuns, type RunFile } from './runs-folder.ts'

/**
 * The run with this name, or with the only name that begins with it; without a name, the latest run. Throws `missing` if there is none, and
 * `usage` if several names begin with it.
 */
export function findRun(folder: string, name?: string): RunFile {
  const runs = listRuns(folder)
  const [latest] = runs
  if (name === undefined && latest) return latest
  if (name === undefined) throw noRuns()
  const sought = name.trim().toLowerCase()
  const exact = runs.find(({ run, file }) => run === sought || basename(file, extension) === sought)
  if (exact) return exact
  const matches = runs.filter(
    ({ run, file }) => sought !== '' && (run.startsWith(sought) || basename(file).startsWith(sought)),
  )
  const [match, ...others] = matches
  if (match && others.length === 0) return match
  if (match)
    throw usage(
      phrase('{count} runs begin with "{name}": {runs}', { count: matches.length, name, runs: shortList(matches) }),
      phrase('type more of the name'),
    )
  // Names of runs are random: one that differs more is another run, not a typing mistake.
  const [near, ...alike] = runs.filter(({ run }) => typos(run, sought) === 1)
  throw missing(
    phrase('no run {name}', { name }),
    near && alike.length === 0
      ? phrase('did you mean {suggestion}?', { suggestion: near.run })
      : phrase('see the runs with: {command}', {
          // No run has spaces in its name, but titles have.
          command: `calctl history${/\s/.test(sought) ? ` ${shellWord(name)}` : ''}`,
        }),
  )
}

const noRuns = () => missing(phrase('no runs yet'), phrase('every command that writes records is kept as a run'))

/** The names of runs within a sentence. */
export const shortList = (runs: readonly RunFile[], most = 5): string =>
  listOfFirst(
    runs.map(({ run }) => run),
    most,
  )
