import type { App } from '../../app.ts'
import type { SiteUser } from '../../client/client.ts'
import { connect } from '../../connect.ts'
import { userShape } from '../shared/output-forms.ts'

/** Prints who the credentials in use belong to, on which site, and what they may do. */
export async function whoAmI(app: App): Promise<void> {
  const { client, profile, close } = await connect(app.world, app.globals, app.notice)
  try {
    const { name, roles, may } = await client.user()
    await app.print(userShape, {
      site: client.calendar.label,
      profile,
      user: name ?? null,
      roles: roles.join(', '),
      ...may,
    })
  } finally {
    await close()
  }
}

/** What a user may do, in words: `may write and publish events, not upload images`. */
export function rightsOf({ may }: SiteUser): string {
  if (!may.write) return 'may read, but not change anything'
  if (!may.publish) return 'may write events, which somebody else publishes'
  return may.editOthers
    ? 'may write and publish events'
    : 'may write and publish events, but not change those of others'
}
