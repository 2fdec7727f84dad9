import type { Kind, KindWords } from '../field.ts'

/** What a kind says for itself; what it leaves out is as for plain values. */
type Rules<Checked, Column> = Partial<Omit<Kind<Checked, Column>, 'words'>> &
  Pick<Kind<Checked, Column>, 'name' | 'read' | 'blank'> & { readonly words: KindWords | Kind['words'] }

/** A kind from its rules. */
export function defineKind<Checked, Column = Checked>(rules: Rules<Checked, Column>): Kind<Checked, Column> {
  const { words } = rules
  return {
    empty: null,
    ...rules,
    words(field) {
      const { placeholder, expected, example } = typeof words === 'function' ? words(field) : words
      return { placeholder, expected, example: field.example ?? example }
    },
  }
}
