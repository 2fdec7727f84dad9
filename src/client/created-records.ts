import { Failure } from '../base/failure.ts'
import { phrase } from '../base/words/phrase.ts'
import type { Request } from '../contract/exchange.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import { slugOf } from '../contract/slug.ts'
import { failures, read, recordReading, type Session, withKnownName } from './answers.ts'
import type { Values } from './client.ts'
import { isSimilar } from './find/slugs.ts'

/** The record in the answer to a create. */
export async function createdAt(session: Session, request: Request, resource: Resource, sent: Values): Promise<Answer> {
  const created = await read(session, { request, resource }, recordReading(resource))
  if (created[resource.title] === '' || isSimilar(resource, sent, withNameOfSlug(resource, sent, created)))
    return withKnownName(session, resource, created)
  const { otherRecordFailure } = await failures()
  const info = { request, resource, calendar: session.calendar }
  const { kind, message, details } = otherRecordFailure(info, created.id, phrase('the one that was created'))
  throw new Failure(kind, message, { ...details, answeredId: created.id })
}

/**
 * A new record with the name that was sent, if its slug was made from that name: a site may show another one, such as the part of the name
 * in one of several languages.
 */
const withNameOfSlug = ({ title }: Resource, sent: Values, created: Answer): Answer =>
  created.slug === slugOf(String(sent[title])) ? { ...created, [title]: sent[title] } : created
