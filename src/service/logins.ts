import { Refusal } from './refusal.ts'

/** A password of which only a hash is known: `scrypt:SALT:HASH`, both in base64url. */
export interface HashedPassword {
  readonly hashed: string
}

/** Passwords, or their hashes, by user name. */
export type Users = ReadonlyMap<string, string | HashedPassword>

/** Whether this is the password of the user. */
export type Login = (name: string, password: string) => Promise<boolean>

/** How many logins wait for their turn at most. */
const longestQueue = 100

/** What a wrong password is compared with where there is no hash, so that every failure takes as long. */
const decoy = `scrypt:${'A'.repeat(22)}:${'A'.repeat(43)}`

/**
 * Logins are tried one after another, with a pause after each that fails, so that guessing takes long however many guesses are sent
 * at once. Who has logged in before does not wait.
 */
export function createLogins(users: Users, pause: () => Promise<void> = async () => {}): Login {
  const verified = new Map<string, Uint8Array>()
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return async (name, password) => {
    const { createHash, timingSafeEqual } = await import('node:crypto')
    const digest = createHash('sha256').update(password).digest()
    const known = verified.get(name)
    if (known && timingSafeEqual(known, digest)) return true
    if (waiting >= longestQueue)
      throw new Refusal(429, 'too_many_logins', 'Too many logins have failed.', {}, {}, { 'retry-after': '60' })
    waiting += 1
    const attempt = last.then(async () => {
      const isRight = await matches(users.get(name), password)
      if (isRight) verified.set(name, digest)
      else await pause()
      return isRight
    })
    last = attempt.catch(() => {})
    return attempt.finally(() => {
      waiting -= 1
    })
  }
}

async function matches(stored: string | HashedPassword | undefined, password: string): Promise<boolean> {
  const { createHash, timingSafeEqual } = await import('node:crypto')
  if (typeof stored === 'string') {
    const digest = (text: string) => createHash('sha256').update(text).digest()
    if (timingSafeEqual(digest(stored), digest(password))) return true
  }
  const hashed = typeof stored === 'object' ? stored.hashed : decoy
  const [, salt = '', hash = ''] = hashed.split(':')
  const isSame = timingSafeEqual(Buffer.from(hash, 'base64url'), await derive(password, salt))
  return isSame && typeof stored === 'object'
}

/** Whether a text is what `hashPassword` makes. */
export const isHashed = (text: string): boolean => /^scrypt:[\w-]{22}:[\w-]{43}$/.test(text)

/** The hash of a password, with a salt of its own. */
export async function hashPassword(password: string): Promise<string> {
  const { randomBytes } = await import('node:crypto')
  const salt = randomBytes(16).toString('base64url')
  return `scrypt:${salt}:${(await derive(password, salt)).toString('base64url')}`
}

async function derive(password: string, salt: string): Promise<Buffer> {
  const { scrypt } = await import('node:crypto')
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 32, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
