import { sanitizeLine } from '../../../base/text/escaping.ts'
import { foldText } from '../../../base/text/folding.ts'
import { readTyped } from '../../../base/time/typed-dates.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Client } from '../../../client/client.ts'
import { wholeListQuery } from '../../../client/find/whole-lists.ts'
import { meantNames } from '../../../client/meant-names.ts'
import { type Answer, type Resource, titleOf } from '../../../contract/resource.ts'
import type { App } from '../../app.ts'
import { askChoice, type Choice } from '../../terminal/prompts.ts'

/** This many records are read at once and searched here; longer lists are searched by the site. */
const readAtOnce = 500

/** The number of choices to offer at a time. */
const offered = 8

interface RecordQuestion {
  readonly message: string
  /** The record that was chosen before, or the name of a new one. */
  readonly chosen?: unknown
  /** Records that are not offered. */
  readonly without?: readonly unknown[]
}

/** Lets the user choose a venue or a term by typing a part of its name: its ID, the name of a new one, or undefined for none. */
export async function chooseRecord(
  { world }: App,
  client: Client,
  resource: Resource,
  { message, chosen, without = [] }: RecordQuestion,
): Promise<number | string | undefined> {
  const search = await searchIn(client, resource)
  const asking = {
    canGoBack: true,
    ...(typeof chosen === 'number' && { usual: chosen }),
    ...(typeof chosen === 'string' && { initial: chosen }),
  }
  const none = {
    name: without.length > 0 ? phrase('No more') : phrase('No {record}', { record: resource.singular }),
    value: undefined,
  }
  return askChoice<number | string | undefined>(
    world,
    message,
    async (term, signal) => {
      const found = (await search.find(term.trim(), signal)).filter(({ id }) => !without.includes(id))
      const first = [...found.filter(({ id }) => id === chosen), ...found.filter(({ id }) => id !== chosen)]
      const choices = first.slice(0, offered).map(record => choiceOf(resource, record, found))
      if (term.trim() === '') return [none, ...choices]
      const name = term.trim()
      if (found.some(record => foldText(nameOf(resource, record)) === foldText(name))) return choices
      if (resource.name === 'categories' && isPriceOrDate(name, world.now()))
        return [...choices, { ...none, name: phrase('None: "{name}" is a price or a date, not a category', { name }) }]
      const close = search.closeTo(name).filter(({ id }) => !without.includes(id))
      const others = choices.filter(({ value }) => !close.some(({ id }) => id === value))
      return [
        ...close.slice(0, offered).map(record => choiceOf(resource, record, close)),
        ...others,
        { name: phrase('New {record} "{name}"', { record: resource.singular, name }), value: name },
      ]
    },
    asking,
  )
}

const nameOf = (resource: Resource, record: Answer): string => sanitizeLine(titleOf(resource, record)).trim()

/** A choice, with the city and ID if other records have the same name. */
function choiceOf(resource: Resource, record: Answer, all: readonly Answer[]): Choice<number> {
  const name = nameOf(resource, record)
  const isAlone = all.filter(other => nameOf(resource, other) === name).length === 1
  const details = [record.city, record.id].filter(detail => detail !== undefined && detail !== '')
  return {
    name: isAlone ? name : `${name} (${details.map(detail => sanitizeLine(String(detail))).join(', ')})`,
    value: record.id,
  }
}

interface Search {
  find(term: string, signal: AbortSignal): Promise<readonly Answer[]>
  /** The records whose names a new one is probably meant to be. */
  closeTo(name: string): readonly Answer[]
}

/** Whether somebody may have answered another question with this name: `15 €`, `free`, `5 December`. */
const isPriceOrDate = (name: string, now: Date): boolean =>
  /^[^\p{L}\d]*\d+([.,]\d+)?\s*(€|eur|euros?|\$|£)?[^\p{L}\d]*$/iu.test(name) ||
  /^(free|gratis|gratuït|gratuïta|gratuito|gratuita)$/i.test(name) ||
  readTyped(name, 'UTC', now).ok

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
  return {
    async find(term) {
      if (term !== '' && total > records.length)
        return (await client.list(resource, { ...query, search: term, per_page: offered })).records
      return byName.filter(record => foldText(nameOf(resource, record)).includes(foldText(term)))
    },
    closeTo(name) {
      const known = byName.map(record => nameOf(resource, record))
      const { names } = meantNames(resource, name, known)
      return byName.filter(record => names.includes(nameOf(resource, record)))
    },
  }
}
