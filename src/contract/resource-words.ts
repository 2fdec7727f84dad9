import { interfaceLanguage, phrase } from '../base/words/phrase.ts'
import type { Field, ResourceName } from './field.ts'
import { type Language, say, type Words } from './languages.ts'
import type { Resource, VerbName } from './resource.ts'

const languageNames: Readonly<Record<Language, () => string>> = {
  ca: () => phrase('Catalan'),
  en: () => phrase('English'),
  es: () => phrase('Spanish'),
}

/** `Catalan`: what a language is called within sentences. */
export const languageName = (language: Language): string => languageNames[language]()

/** The words for records and fields within sentences, in the language of the interface. */
interface Nouns {
  noun(): string
  plural(): string
  /** With the indefinite article. */
  some(): string
  /** With the definite article. */
  the(): string
  /** The noun with a key: `event 12`; in other languages with the article, so that it can be a subject. */
  named(key: string | number): string
  count(count: number): string
  list(): string
}

const nouns: Readonly<Record<ResourceName, Nouns>> = {
  events: {
    noun: () => phrase('event'),
    plural: () => phrase('events'),
    some: () => phrase('an event'),
    the: () => phrase('the event'),
    named: key => phrase('event {key}', { key }),
    count: count => phrase('{count, plural, one {# event} other {# events}}', { count }),
    list: () => phrase('a list of events'),
  },
  venues: {
    noun: () => phrase('venue'),
    plural: () => phrase('venues'),
    some: () => phrase('a venue'),
    the: () => phrase('the venue'),
    named: key => phrase('venue {key}', { key }),
    count: count => phrase('{count, plural, one {# venue} other {# venues}}', { count }),
    list: () => phrase('a list of venues'),
  },
  organizers: {
    noun: () => phrase('organizer'),
    plural: () => phrase('organizers'),
    some: () => phrase('an organizer'),
    the: () => phrase('the organizer'),
    named: key => phrase('organizer {key}', { key }),
    count: count => phrase('{count, plural, one {# organizer} other {# organizers}}', { count }),
    list: () => phrase('a list of organizers'),
  },
  categories: {
    noun: () => phrase('category'),
    plural: () => phrase('categories'),
    some: () => phrase('a category'),
    the: () => phrase('the category'),
    named: key => phrase('category {key}', { key }),
    count: count => phrase('{count, plural, one {# category} other {# categories}}', { count }),
    list: () => phrase('a list of categories'),
  },
  tags: {
    noun: () => phrase('tag'),
    plural: () => phrase('tags'),
    some: () => phrase('a tag'),
    the: () => phrase('the tag'),
    named: key => phrase('tag {key}', { key }),
    count: count => phrase('{count, plural, one {# tag} other {# tags}}', { count }),
    list: () => phrase('a list of tags'),
  },
}

/** `1 venue`, `3 venues` */
export const recordCount = (count: number, resource: ResourceName): string => nouns[resource].count(count)

/** `venue` */
export const recordNoun = (resource: ResourceName): string => nouns[resource].noun()

/** `venues` */
export const recordsNoun = (resource: ResourceName): string => nouns[resource].plural()

/** `a venue` */
export const aRecord = (resource: ResourceName): string => nouns[resource].some()

/** `the venue` */
export const theRecord = (resource: ResourceName): string => nouns[resource].the()

/** A record by ID, slug or quoted title, as subject or object of a sentence: `venue 7`, `el lloc 7`. */
export const namedRecord = (resource: ResourceName, key: string | number): string => nouns[resource].named(key)

/** `a list of venues` */
export const recordList = (resource: ResourceName): string => nouns[resource].list()

/** The label of a field within a sentence: its name in English; in other languages its words up to a colon. */
export function fieldLabel(name: string, field: Pick<Field, 'words'> | undefined): string {
  const language = interfaceLanguage()
  if (language === 'en' || field === undefined) return name
  const [label = ''] = field.words[language].split(':')
  // Abbreviations such as URL stay in capitals.
  return label.replace(/^\p{Lu}(?!\p{Lu})/u, first => first.toLowerCase())
}

/** The everyday words of examples. */
const exampleWords: Readonly<Record<string, Words>> = {
  saturday: say('dissabte', 'saturday', 'sábado'),
  nextSaturday: say('dissabte vinent', 'next saturday', 'el próximo sábado'),
  sunday: say('diumenge', 'sunday', 'domingo'),
  monday: say('dilluns', 'monday', 'lunes'),
  december: say('desembre', 'december', 'diciembre'),
  ofDecember: say('de desembre', 'December', 'de diciembre'),
  rain: say('Pluja', 'Rain', 'Lluvia'),
  openAir: say('A l’aire lliure', 'Open air', 'Al aire libre'),
  outdoors: say('A la fresca', 'Outdoors', 'A la fresca'),
  theatre: say('Teatre Principal', 'Teatre Principal', 'Teatro Principal'),
  square: say('Plaça Major', 'Plaça Major', 'Plaza Mayor'),
  concert: say('concert-de-nadal', 'concert-de-nadal', 'concierto-de-navidad'),
}

/** The examples of a verb, with the everyday words of a language. */
export const exampleLines = ({ examples }: Resource, verb: VerbName, language: Language = interfaceLanguage()) =>
  (examples[verb] ?? []).map(line =>
    line.replace(/\{(\w+)\}/g, (place, word) => exampleWords[word]?.[language] ?? place),
  )
