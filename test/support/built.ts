import { resolve } from 'node:path'

/** With `CALCTL_TEST_BUILT=1`, the folder of what `npm run build` made, which tests then run in place of `src`. */
export const built = process.env.CALCTL_TEST_BUILT ? resolve(import.meta.dirname, '../../dist') : undefined
