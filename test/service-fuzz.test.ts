import { expect, test } from 'vitest'
import { sendAnything } from './fuzz.ts'

/** `npm run soak` asks for many more, and for others every time. */
const rounds = Number(process.env.SOAK_ROUNDS ?? 0)
const [series, seed] = rounds > 0 ? [rounds * 200, undefined] : [1500, 7]

test(
  'no request makes a 500, every error has its shape, and what is refused changes nothing',
  { timeout: 600_000 },
  () => expect(sendAnything(series, seed)).resolves.toBeUndefined(),
)
