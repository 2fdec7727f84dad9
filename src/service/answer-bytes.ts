/** Shorter answers are not worth the trouble, and memory for longer ones is not kept; in bytes. */
const short = 32 * 1024
const long = 1024 * 1024

/** Memory is taken in units of this, so that a buffer fits the next answers too. */
const unit = 128 * 1024

/** As many as answers are usually under way at once. */
const mostFree = 16

/** Buffers of answers that were sent. Writing into new memory would take as long as everything else that a page needs. */
const free: Buffer[] = []

const lent = new WeakSet<Uint8Array>()

/** One text made of pieces. It is in memory that `reuse` frees for other answers. */
export function joinPieces(pieces: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const piece of pieces) length += piece.length
  if (length < short || length > long) return Buffer.concat(pieces, length)
  const whole = takeBuffer(length)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  const answer = whole.subarray(0, length)
  lent.add(answer)
  return answer
}

function takeBuffer(length: number): Buffer {
  const index = free.findIndex(buffer => buffer.length >= length)
  const [known] = index < 0 ? [] : free.splice(index, 1)
  return known ?? Buffer.allocUnsafeSlow(Math.ceil(length / unit) * unit)
}

/** To be called once an answer was handed to the system, by the last who has it; bytes that nobody gives back are collected as garbage. */
export function reuse(answer: string | Uint8Array): void {
  if (typeof answer === 'string' || !lent.delete(answer)) return
  if (free.length < mostFree) free.push(Buffer.from(answer.buffer))
}
