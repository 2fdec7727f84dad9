import { resourceNamed } from '../contract/contract.ts'
import { type Answer, quoted, titleOf } from '../contract/resource.ts'

/** The title of an event in a sentence. */
export const quotedTitle = (event: Answer | undefined): string => quoted(titleOf(resourceNamed('events'), event))
