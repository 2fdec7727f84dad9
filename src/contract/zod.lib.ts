/** The parts of zod that are used, so that a bundle need not carry the rest. */
export {
  _default,
  boolean,
  enum,
  optional,
  partialRecord,
  record,
  refine,
  safeParse,
  strictObject,
  string,
} from 'zod/mini'
