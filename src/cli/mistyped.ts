import { typos } from '../base/text/similarity.ts'

/**
 * The name that was probably mistyped: one letter is wrong, missing, extra or swapped, two in eight letters or more. In words of up to four
 * letters, another letter makes another word. Never a name of the opposite, nor an option that leaves out a question.
 */
export function mistyped(typed: string, names: readonly string[]): string | undefined {
  const word = bare(typed)
  const allowed = word.length < 8 ? 1 : 2
  const similar = names.filter(name => {
    const distance = typos(word, bare(name))
    const isOther = word.length < 5 && word.length === bare(name).length && !isSwap(word, bare(name))
    return distance <= allowed && !isOther && !areOpposite(word, bare(name), distance) && !unasked.has(name)
  })
  return similar.toSorted((one, other) => typos(word, bare(one)) - typos(word, bare(other)))[0]
}

/** A name without its dashes, in the singular: people write `--category` for `--categories`. */
const bare = (name: string): string => name.replace(/^--/, '').replace(/ies$/, 'y')

const isSwap = (one: string, other: string): boolean => [...one].toSorted().join() === [...other].toSorted().join()

/** Whether one of two words is the other one with a prefix such as `un`. */
const areOpposite = (one: string, other: string, distance: number): boolean =>
  ['un', 'no-', 'non', 'de', 'dis', 're', 'in'].some(
    prefix =>
      (one.startsWith(prefix) && typos(one.slice(prefix.length), other) < distance) ||
      (other.startsWith(prefix) && typos(one, other.slice(prefix.length)) < distance),
  )

/** Options that leave out a question or a check. */
const unasked: ReadonlySet<string> = new Set(
  '--yes --force --confirm --no-input --allow-similar --create-missing --skip-invalid --open'.split(' '),
)
