import type { Command } from 'commander'
import { sanitizeLine } from '../../../base/text/escaping.ts'
import { wallAt } from '../../../base/time/zone.ts'
import type { World } from '../../world.ts'
import { type Knowledge, offerAt } from './candidates.ts'
import { type Completion, cursorAt, type Offer, typedWords } from './cursor.ts'

/**
 * Completion with Tab: a script in the shell asks `calctl __complete` for completions of the word under the cursor. It gets a line for
 * each, with a description, and then a line `:none`, `:files` or, if the word continues after any of them, `:open`. The completions come
 * from the tree of commands, the profiles and the runs. Nothing is sent, and if some of this is damaged or missing,
 * there are just fewer completions.
 */

type TreeOf = (words: readonly string[]) => Command

/** The lines for a shell, which passes the words after `calctl` or, with --line, the line up to the cursor. */
export async function candidateLines(world: World, args: readonly string[], treeOf: TreeOf): Promise<string> {
  const [mode, ...rest] = args
  const words = mode === '--line' ? typedWords(rest.join(' ')).slice(1) : rest
  try {
    const cursor = cursorAt(treeOf(words), words)
    const offer = await offerAt(cursor, knowledgeFor(world))
    return [...unique(offer.candidates).map(lineOf), endOf(offer), ''].join('\n')
  } catch {
    // An error message would appear in the line that is being typed.
    return ':none\n'
  }
}

function endOf({ files, goesOn }: Offer): string {
  if (files) return ':files'
  return goesOn ? ':open' : ':none'
}

const lineOf = ({ value, about = '' }: Completion): string => (about ? `${value}\t${sanitizeLine(about)}` : value)

const unique = (candidates: readonly Completion[]): readonly Completion[] => [
  ...new Map(candidates.map(candidate => [candidate.value, candidate])).values(),
]

const knowledgeFor = (world: World): Knowledge => ({
  async profiles() {
    const { profileNames, readConfigUnchecked } = await import('../../profiles/config.ts')
    return profileNames(await readConfigUnchecked(world))
  },
  async runs() {
    const { runsFolder } = await import('../../profiles/user-folders.ts')
    const { listRuns } = await import('../../../changes/run/runs-folder.ts')
    const { readHeader } = await import('../../../changes/run/journal-reader.ts')
    const latest = listRuns(runsFolder(world)).slice(0, mostRuns)
    return latest.map(({ run, file }) => {
      const { command, started } = readHeader(file) ?? {}
      const when = started === undefined ? undefined : wallAt(Date.parse(started), world.timeZone()).slice(0, 16)
      return { value: run, about: [command, when].filter(part => part !== undefined).join(', ') }
    })
  },
})

/** How many runs are offered. */
const mostRuns = 30
