/** What a text means: a value, several possible ones, or none. How a doubt is settled depends on where the text was written. */
export type Meaning<T> =
  | { readonly value: T }
  /** Each value with a text that means exactly this. */
  | { readonly doubt: readonly { readonly value: T; readonly form: string }[] }
  | UnreadText

export interface UnreadText {
  /** Completes "expected …". */
  readonly refused: string
  /** A text that would be read. */
  readonly write: string
}
