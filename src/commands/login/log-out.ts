import type { App } from '../../app.ts'
import { changeConfig, readConfig } from '../../profiles/config.ts'
import { deletePassword, frontName } from '../../profiles/credentials.ts'
import { profileNamed } from '../../profiles/profile.ts'
import { noSuchProfile, profileInForce } from '../../profiles/resolve.ts'

/** Removes the user and the password of a profile, which keeps its address. */
export async function logOut(app: App, given?: string): Promise<void> {
  const name = given ?? profileInForce(app.world, app.globals, await readConfig(app.world))
  let hadUser = false
  await changeConfig(app.world, async config => {
    const profile = profileNamed(config, name)
    if (!profile) throw noSuchProfile(config, name)
    const { user, secret, frontUser, frontSecret, ...others } = profile
    hadUser = [user, secret, frontUser, frontSecret].some(setting => setting !== undefined)
    if (!hadUser) return config
    await deletePassword(app.world, name)
    await deletePassword(app.world, frontName(name))
    return { ...config, profiles: { ...config.profiles, [name]: others } }
  })
  if (!hadUser) return app.notice(`${name} has no user: nothing to remove`)
  await app.notice(`logged out of ${name}; the password itself is still valid until you revoke it on the site`)
}
