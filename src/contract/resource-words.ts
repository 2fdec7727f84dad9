import { interfaceLanguage, phrase } from '../base/words/phrase.ts'
import exampleData from './examples.json' with { type: 'json' }
import type { Field, ResourceName } from './field.ts'
import type { Language, Words } from './languages.ts'
import type { Resource, VerbName } from './resource.ts'

const languageNames: Readonly<Record<Language, () => string>> = {
  ca: () => phrase('Catalan'),
  en: () => phrase('English'),
  es: () => phrase('Spanish'),
}

/** `Catalan`: what a language is called within sentences. */
export const languageName = (language: Language): string => languageNames[language]()

// The words for records within sentences, in the language of the interface.

/** `1 venue`, `3 venues` */
export const recordCount = (count: number, resource: ResourceName): string =>
  phrase(
    '{resource, select, events {{count, plural, one {# event} other {# events}}} venues {{count, plural, one {# venue} other {# venues}}} organizers {{count, plural, one {# organizer} other {# organizers}}} categories {{count, plural, one {# category} other {# categories}}} other {{count, plural, one {# tag} other {# tags}}}}',
    { resource, count },
  )

/** `venue` */
export const recordNoun = (resource: ResourceName): string =>
  phrase('{resource, select, events {event} venues {venue} organizers {organizer} categories {category} other {tag}}', {
    resource,
  })

/** `venues` */
export const recordsNoun = (resource: ResourceName): string =>
  phrase(
    '{resource, select, events {events} venues {venues} organizers {organizers} categories {categories} other {tags}}',
    { resource },
  )

/** `a venue` */
export const aRecord = (resource: ResourceName): string =>
  phrase(
    '{resource, select, events {an event} venues {a venue} organizers {an organizer} categories {a category} other {a tag}}',
    { resource },
  )

/** `the venue` */
export const theRecord = (resource: ResourceName): string =>
  phrase(
    'the {resource, select, events {event} venues {venue} organizers {organizer} categories {category} other {tag}}',
    { resource },
  )

/**
 * A record by ID, slug or quoted title, as subject or object of a sentence: `venue 7`; in other languages with the article, `el lloc 7`.
 */
export const namedRecord = (resource: ResourceName, key: string | number): string => named[resource](key)

/** Sentences without a choice are filled in at once: a long plan names thousands of records. */
const named: Readonly<Record<ResourceName, (key: string | number) => string>> = {
  events: key => phrase('event {key}', { key }),
  venues: key => phrase('venue {key}', { key }),
  organizers: key => phrase('organizer {key}', { key }),
  categories: key => phrase('category {key}', { key }),
  tags: key => phrase('tag {key}', { key }),
}

/** `a list of venues` */
export const recordList = (resource: ResourceName): string =>
  phrase(
    'a list of {resource, select, events {events} venues {venues} organizers {organizers} categories {categories} other {tags}}',
    { resource },
  )

/** The label of a field within a sentence: its name in English; in other languages its words up to a colon. */
export function fieldLabel(name: string, field: Pick<Field, 'words'> | undefined): string {
  const language = interfaceLanguage()
  if (language === 'en' || field === undefined) return name
  const [label = ''] = field.words[language].split(':')
  // Abbreviations such as URL stay in capitals.
  return label.replace(/^\p{Lu}(?!\p{Lu})/u, first => first.toLowerCase())
}

/** Lines to type, by resource and verb, with places such as `{saturday}` for everyday words. */
const examples: Readonly<Record<ResourceName, Readonly<Partial<Record<VerbName, readonly string[]>>>>> = exampleData

const exampleWords: Readonly<Record<string, Words>> = exampleData.words

/** The examples of a verb, with the everyday words of a language. */
export const exampleLines = ({ name }: Resource, verb: VerbName, language: Language = interfaceLanguage()) =>
  (examples[name][verb] ?? []).map(line =>
    line.replace(/\{(\w+)\}/g, (place, word) => exampleWords[word]?.[language] ?? place),
  )
