import { Failure } from '../../base/failure.ts'
import { listOf } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Field } from '../../contract/field.ts'
import { type Difference, type Differences, onlyShown } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { fieldLabel, namedRecord } from '../../contract/resource-words.ts'
import type { WriteResult } from '../client.ts'

/** Says how a record differs from what was asked for, and what to do about it. */
export function failureOfDrift(resource: Resource, { record, drift }: WriteResult): Failure {
  const fields = Object.keys(drift)
  if (drift.lang_code) return otherLanguage(resource, record, drift)
  const { status } = drift
  if (status?.after === 'pending' && status.asked === 'publish' && fields.length === 1)
    return pendingFailure(resource, record, drift)
  const list = Object.entries(drift).map(
    ([name, difference]) =>
      describeReturn(resource.fields[name], difference) ??
      describe(fieldLabel(name, resource.fields[name]), difference),
  )
  const message = phrase('{record} differs from the request: {differences}', {
    record: namedRecord(resource.name, record.id),
    differences: list.join('; '),
  })
  return new Failure('conflict', message, {
    hint: phrase('see it with: {command}', {
      command: `calctl ${resource.name} get ${record.id} --fields ${fields.join(',')}`,
    }),
    drift,
    record: onlyShown(record),
  })
}

/** WordPress makes what a contributor publishes pending. */
const pendingFailure = ({ name }: Resource, record: Answer, drift: Differences): Failure =>
  new Failure(
    'conflict',
    phrase('{record} is pending: somebody else must publish it', { record: namedRecord(name, record.id) }),
    {
      hint: phrase('ask somebody who may publish to run: {command}', {
        command: `calctl ${name} update ${record.id} --status publish`,
      }),
      drift,
      record: onlyShown(record),
    },
  )

/** The difference if a plugin for translations has put a record into another language; its links may then be missing, too. */
function otherLanguage({ name }: Resource, record: Answer, drift: Differences): Failure {
  const [actual, wanted] = [String(drift.lang_code?.after), String(drift.lang_code?.asked)]
  const message = phrase('{record} is in the language {actual}, not in {wanted}', {
    record: namedRecord(name, record.id),
    actual,
    wanted,
  })
  return new Failure('conflict', message, {
    hint: phrase(
      'remove it with: {remove}; or set its language in WordPress; if {wanted} has its own address, set that first with: {edit}',
      {
        remove: `calctl ${name} delete ${record.id} --lang ${actual}`,
        wanted,
        edit: phrase('calctl profiles edit NAME --base-url-for {language}=URL', { language: wanted }),
      },
    ),
    drift,
    record: onlyShown(record),
  })
}

/** Places that an event shows only since the update: the site published them along with it, out of the trash. Undefined for other changes. */
function describeReturn(field: Field | undefined, { before, after, ...rest }: Difference): string | undefined {
  if (!field?.of || field.kind.isTerms || 'asked' in rest) return undefined
  const { of } = field
  const added = [after].flat().filter(id => id !== null && ![before].flat().includes(id))
  const places = listOf(added.map(id => namedRecord(of, String(id))))
  return added.length > 0
    ? phrase('the site took {places} out of the trash and published {count, plural, one {it} other {them}}', {
        places,
        count: added.length,
      })
    : undefined
}

function describe(field: string, difference: Difference): string {
  const [before = '', after = '', asked] = [difference.before, difference.after, difference.asked].map(value =>
    JSON.stringify(value),
  )
  return asked === undefined
    ? phrase('{field} changed from {before} to {after} although it was not part of the request', {
        field,
        before,
        after,
      })
    : phrase('{field} should be {asked} but is {after}', { field, asked, after })
}
