/** Only the parts of zod that are used, to keep the bundle small. */
export {
  _default,
  array,
  boolean,
  enum,
  number,
  optional,
  partialRecord,
  record,
  refine,
  regex,
  safeParse,
  strictObject,
  string,
  toJSONSchema,
  union,
  unknown,
} from 'zod/mini'
