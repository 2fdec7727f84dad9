import type { Option } from 'commander'
import { englishMonths, englishWeekdays } from '../../../base/time/calendar-words.ts'
import { interfaceLanguage, phrase } from '../../../base/words/phrase.ts'
import { resourceNamed, resources } from '../../../contract/contract.ts'
import type { Field } from '../../../contract/field.ts'
import { languages } from '../../../contract/languages.ts'
import type { Resource } from '../../../contract/resource.ts'
import { spokenTopic, topicNames } from '../help/topics.ts'
import { commandGroups, optionGroups } from '../help/tree-description.ts'
import { rootOf } from '../shared/options.ts'
import { type Completion, type Cursor, fitting, inList, type Offer } from './cursor.ts'

/** What is known without sending requests, read only when it is needed. */
export interface Knowledge {
  profiles(): Promise<readonly string[]>
  /** The latest runs. */
  runs(): Promise<readonly Completion[]>
}

/** The possible completions of the word under the cursor. */
export async function offerAt(cursor: Cursor, knowledge: Knowledge): Promise<Offer> {
  const { lead, typed } = cursor
  const offer = await offered(cursor, knowledge)
  const candidates = fitting(offer.candidates.filter(isPlainWord), typed).map(candidate => ({
    ...candidate,
    value: lead + candidate.value,
  }))
  return { ...offer, candidates }
}

async function offered({ expected, typed }: Cursor, knowledge: Knowledge): Promise<Offer> {
  switch (expected.kind) {
    case 'nothing':
      return { candidates: [] }
    case 'option':
      return { candidates: optionsOf(expected.command) }
    case 'command':
      return { candidates: commandsOf(expected.command) }
    case 'value':
      return valuesOf(expected.option, resourceOf(expected.command), typed, knowledge)
    case 'argument': {
      const { command, argument, before } = expected
      const choices = argument.argChoices
      if (choices) return offerOf(choices)
      return argumentsNamed(argument.name(), { command, before }, knowledge)
    }
  }
}

type CommandOf = Parameters<typeof rootOf>[0]

const resourceOf = (command: CommandOf): Resource | undefined =>
  resources.find(({ name }) => name === command.parent?.name())

const optionsOf = (command: CommandOf): Completion[] =>
  [...new Set([command, rootOf(command)])].flatMap(one =>
    optionGroups(one).flatMap(({ items }) =>
      items.map(option => ({ value: option.long ?? '', about: option.description })),
    ),
  )

const commandsOf = (command: CommandOf): Completion[] =>
  commandGroups(command).flatMap(({ items }) =>
    items.map(child => ({ value: child.name(), about: child.description() })),
  )

/** Where an argument is to be completed. */
interface ArgumentPlace {
  readonly command: CommandOf
  readonly before: readonly string[]
}

async function argumentsNamed(name: string, place: ArgumentPlace, knowledge: Knowledge): Promise<Offer> {
  const { command, before } = place
  if (name === 'record') return offerOf(before.length > 0 ? [] : resources.map(one => one.name))
  if (name === 'month') return before.length > 0 ? { candidates: [] } : periodsOffer(englishMonths)
  if (name === 'run') return { candidates: await knowledge.runs() }
  if (name === 'file') return { candidates: [], files: true }
  const isOfProfiles = command.parent?.name() === 'profiles' && command.name() !== 'add'
  if (name === 'profile' || isOfProfiles) return offerOf(await knowledge.profiles())
  if (command.name() !== 'help') return { candidates: [] }
  const root = rootOf(command)
  const topics = topicNames(root).map(name => ({ value: spokenTopic(name), about: phrase('topic') }))
  return { candidates: [...commandsOf(root), ...topics] }
}

const offerOf = (values: readonly string[]): Offer => ({ candidates: values.map(value => ({ value })) })

/** The values of an option: its choices, or what its placeholder stands for. */
async function valuesOf(option: Option, resource: Resource | undefined, typed: string, knowledge: Knowledge) {
  const { long = '', flags, argChoices } = option
  if (argChoices) return offerOf(argChoices)
  const field = fieldOf(long, resource)
  if (field?.choices) return inList(typed, offerOf(field.choices).candidates)
  if (long === '--week') return periodsOffer([])
  if (long === '--fields' || long === '--sort') return inList(typed, fieldPaths(resource))
  if (long === '--where') return { candidates: fieldPaths(resource), goesOn: true as const }
  if (long === '--clear' || long === '--match') return inList(typed, fieldNames(resource))
  const [, placeholder = ''] = /[<[](.+)[>\]]/.exec(flags) ?? []
  return placeholderOffer(long === '--profile' ? 'profile' : placeholder, typed, knowledge)
}

/** What the placeholder of an option stands for. */
async function placeholderOffer(placeholder: string, typed: string, knowledge: Knowledge): Promise<Offer> {
  if (placeholder.split('|').includes('file')) return { candidates: [], files: true }
  switch (placeholder) {
    case 'profile':
      return offerOf(await knowledge.profiles())
    case 'language':
      return offerOf(languages)
    case 'languages':
      return inList(typed, offerOf(languages).candidates)
    case 'month':
      return periodsOffer(englishMonths)
    case 'day':
      return daysOffer
    case 'zone':
      return offerOf(Intl.supportedValuesOf('timeZone'))
    case 'rules':
      return inList(typed, await ruleCandidates())
    default:
      return { candidates: [] }
  }
}

/** The next one, the last one, and those with names. */
const periodsOffer = (names: readonly string[]): Offer =>
  offerOf(['next', 'last', ...names].map(name => name.toLowerCase()))

const daysOffer = offerOf(['today', 'tomorrow', 'yesterday', ...englishWeekdays].map(name => name.toLowerCase()))

/** The rules of `calctl lint`. */
async function ruleCandidates(): Promise<Completion[]> {
  const { rules } = await import('../../../care/lint/rules.ts')
  return rules.map(({ id, finds }) => ({ value: id, about: finds() }))
}

/** The field or filter that an option sets; `--add-tags` sets tags. */
function fieldOf(long: string, resource: Resource | undefined): Field | undefined {
  const name = long.replace(/^--((add|remove)-)?/, '').replaceAll('-', '_')
  const places = resource ? [resource.fields, resource.filters] : resources.map(({ filters }) => filters)
  return places.map(place => (Object.hasOwn(place, name) ? place[name] : undefined)).find(Boolean)
}

const fieldNames = (resource: Resource | undefined): Completion[] =>
  (resource ? [resource] : resources).flatMap(({ fields }) =>
    Object.entries(fields).map(([value, field]) => ({ value, about: field.words[interfaceLanguage()] })),
  )

/** The fields of an answer, and those of the records to which it links. */
const fieldPaths = (resource: Resource | undefined): Completion[] => [
  { value: 'id', about: 'ID' },
  ...fieldNames(resource),
  ...Object.entries(resource?.fields ?? {}).flatMap(([name, { of, multiple }]) =>
    of && multiple === false ? fieldNames(resourceNamed(of)).map(within(name)) : [],
  ),
]

const within =
  (name: string) =>
  (candidate: Completion): Completion => ({ ...candidate, value: `${name}.${candidate.value}` })

/** Whether a shell takes a value literally: completions may come from a site, and are put on the command line as they are. */
const isPlainWord = ({ value }: Completion): boolean => /^[\p{L}\p{M}\p{N}@%_+=:,./-]*$/u.test(value)
