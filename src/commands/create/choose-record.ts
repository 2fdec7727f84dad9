import type { App } from '../../app.ts'
import type { Client } from '../../client/client.ts'
import { wholeListQuery } from '../../client/whole-list.ts'
import { titleOf } from '../../contract/record-title.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { askChoice, type Choice } from '../../terminal/prompts.ts'
import { sanitizeLine } from '../../text/escaping.ts'
import { foldText } from '../../text/similarity.ts'

/** So many records are read at once, and searched here; the site searches in longer lists. */
const readAtOnce = 500

/** So many are offered at a time. */
const offered = 8

/**
 * Lets the user choose a venue or a term by typing a part of its name: its ID, the name of a new one, or undefined for none. Those in
 * `without` are not offered.
 */
export async function chooseRecord(
  { world }: App,
  client: Client,
  resource: Resource,
  message: string,
  without: readonly unknown[] = [],
): Promise<number | string | undefined> {
  const search = await searchIn(client, resource)
  const none = { name: without.length > 0 ? 'No more' : `No ${resource.singular}`, value: undefined }
  return askChoice<number | string | undefined>(world, message, async (term, signal) => {
    const found = (await search(term.trim(), signal)).filter(({ id }) => !without.includes(id))
    const choices = found.slice(0, offered).map(record => choiceOf(resource, record, found))
    if (term.trim() === '') return [none, ...choices]
    const isKnown = found.some(record => foldText(nameOf(resource, record)) === foldText(term))
    return isKnown ? choices : [...choices, { name: `New ${resource.singular} "${term.trim()}"`, value: term.trim() }]
  })
}

const nameOf = (resource: Resource, record: Answer): string => sanitizeLine(titleOf(resource, record)).trim()

/** Records of one name are told apart by their cities and IDs. */
function choiceOf(resource: Resource, record: Answer, all: readonly Answer[]): Choice<number> {
  const name = nameOf(resource, record)
  const isAlone = all.filter(other => nameOf(resource, other) === name).length === 1
  const details = [record.city, record.id].filter(detail => detail !== undefined && detail !== '')
  return {
    name: isAlone ? name : `${name} (${details.map(detail => sanitizeLine(String(detail))).join(', ')})`,
    value: record.id,
  }
}

type Search = (term: string, signal: AbortSignal) => Promise<readonly Answer[]>

/** One request for a short list, and one for each term in a long one. */
async function searchIn(client: Client, resource: Resource): Promise<Search> {
  const query = wholeListQuery({ resource })
  const records: Answer[] = []
  let total = 0
  for await (const page of client.pages(resource, query, readAtOnce)) {
    records.push(...page.records)
    total = page.total
  }
  const byName = records.toSorted((one, other) => nameOf(resource, one).localeCompare(nameOf(resource, other)))
  return async term => {
    if (term !== '' && total > records.length)
      return (await client.list(resource, { ...query, search: term, per_page: offered })).records
    return byName.filter(record => foldText(nameOf(resource, record)).includes(foldText(term)))
  }
}
