import { expect, test } from 'vitest'
import { sendRandomRequests } from './random-requests.ts'

/** `npm run soak` sets many more, with a new seed every time. */
const rounds = Number(process.env.SOAK_ROUNDS ?? 0)
const [series, seed] = rounds > 0 ? [rounds * 25, undefined] : [200, 7]

test(
  'no request causes a 500, errors have one shape, and refused requests change nothing',
  { timeout: (rounds + 1) * 180_000 },
  () => expect(sendRandomRequests(series, seed)).resolves.toBeUndefined(),
)
