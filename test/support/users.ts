import type { Users } from '../../src/service/access.ts'
import type { Role } from '../../src/service/dialect.ts'

/** Users with the password `secret`: `admin`, or `guest:contributor`. */
export const usersOf = (...users: readonly string[]): Users =>
  new Map(
    users.map(text => {
      const [name = '', role = 'administrator'] = text.split(':')
      return [name, { password: 'secret', role: role as Role }]
    }),
  )
