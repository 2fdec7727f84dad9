/** The parts of zod that are used, so that a bundle need not carry the rest. */
export {
  _default,
  boolean,
  email,
  enum,
  optional,
  partialRecord,
  pipe,
  record,
  refine,
  safeParse,
  strictObject,
  string,
  transform,
  unknown,
  type ZodMiniType,
} from 'zod/mini'
