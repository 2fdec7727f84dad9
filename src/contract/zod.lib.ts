/** Only the parts of zod that are used, to keep the bundle small. */
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
