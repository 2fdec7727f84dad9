/**
 * The places where implementations of the API differ, each a function. `documented.ts` keeps to the documentation;
 * another manner may follow a site that does not.
 */
export interface Manner {
  readonly name: string
}
