import ca from './words/ca.json' with { type: 'json' }
import en from './words/en.json' with { type: 'json' }
import es from './words/es.json' with { type: 'json' }

/** The languages of the page and of the content. */
export const pageLanguages = ['ca', 'en', 'es'] as const
export type PageLanguage = (typeof pageLanguages)[number]

export type PageWords = typeof en

export const words: Readonly<Record<PageLanguage, PageWords>> = { ca, en, es }
