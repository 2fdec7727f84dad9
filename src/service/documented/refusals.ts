import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { Resource } from '../../contract/resource.ts'
import type { Problems, RefusalDialect } from '../dialect.ts'
import { Refusal } from '../refusal.ts'
import type { RecordRef, RequestContext } from '../request-context.ts'
import type { PostRow, Rows } from '../store/rows.ts'

const wrongCredentials = () => new Refusal(401, 'wrong_credentials', 'The user name or the password is wrong.')

export const refusalDialect: RefusalDialect = {
  invalid,
  notFound,
  checkRoute: () => ({}),
  wrongCredentials: { name: wrongCredentials, password: wrongCredentials },
  checkMayRead,
}

export function invalid(problems: Problems): Refusal {
  return new Refusal(400, 'rest_invalid_param', `Invalid parameter(s): ${Object.keys(problems).join(', ')}`, {
    params: Object.fromEntries(Object.entries(problems).map(([name, { problem }]) => [name, problem])),
  })
}

function notFound(
  context: RequestContext,
  name: ResourceName,
  ref: RecordRef,
  elsewhere?: Rows[ResourceName],
): Refusal {
  const { singular } = resourceNamed(name)
  const title = `${singular[0]?.toUpperCase()}${singular.slice(1)}`
  const which = 'id' in ref ? `with ID ${BigInt(ref.id)}` : `with slug "${ref.slug}"`
  const where = elsewhere ? ` in ${context.language}; it is in ${elsewhere.lang_code}` : ''
  const message = `${title} ${which} does not exist${where}.`
  return new Refusal(404, `rest-${singular}-not-found`, message, elsewhere && { lang_code: elsewhere.lang_code })
}

export const notAccessible = (singular: string): Refusal =>
  new Refusal(403, `${singular}-not-accessible`, `The requested ${singular} is not accessible`)

/** Nobody reads the trash; the public reads only what is published, and with its password if it has one. */
function checkMayRead(context: RequestContext, { singular }: Resource, row: PostRow): void {
  if (row.status === 'trash')
    throw new Refusal(403, `${singular}-no-longer-available`, `This ${singular} is no longer available`)
  if (context.caller === 'editor') return
  if (row.status !== 'publish') throw notAccessible(singular)
  if ('post_password' in row && row.post_password !== '' && row.post_password !== context.values.password)
    throw new Refusal(
      403,
      `${singular}-password-protected`,
      `The requested ${singular} is not accessible without a password`,
    )
}
