import type { ResourceName } from '../../contract/field.ts'
import type { Resource } from '../../contract/resource.ts'
import type { Asked, Row, Test } from './comparisons.ts'
import { fold } from './fold.ts'

/** Where a search looks; in venues and organizers it looks into every text. */
const searchedFields: Partial<Record<ResourceName, readonly string[]>> = {
  categories: ['name', 'description'],
  tags: ['name', 'description'],
}

const texts = new Set(['text', 'url', 'email'])

const textsOf = ({ fields }: Resource): string[] =>
  Object.keys(fields).filter(name => texts.has(fields[name]?.kind ?? ''))

/** Every word must occur, whatever its case and accents. Of what a password hides from the public, only the title is looked at. */
export function searched({ context, resource, value }: Asked): Test {
  const { dialect } = context
  const { wanted, unwanted } = dialect.readSearch(fold(String(value)))
  const names = resource.name === 'events' ? dialect.eventTexts : (searchedFields[resource.name] ?? textsOf(resource))
  const isVeiled = (row: Row) =>
    dialect.hidesProtected(context.caller) && 'post_password' in row && row.post_password !== ''
  return row => {
    const looked = isVeiled(row) ? [resource.title] : names
    const text = fold(looked.map(name => Reflect.get(row, name)).join('\n'))
    return wanted.every(word => text.includes(word)) && !unwanted.some(word => text.includes(word))
  }
}
