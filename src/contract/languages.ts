/** The languages that content, descriptions and `lang_code` come in. */
export const languages = ['ca', 'en', 'es'] as const

/** A language of content. */
export type Language = (typeof languages)[number]

/** One text in every language. */
export type Words = Readonly<Record<Language, string>>

/** Words in Catalan, English and Spanish. */
export const say = (ca: string, en: string, es: string): Words => ({ ca, en, es })

/** Whether a value is one of the languages of content. */
export const isLanguage = (text: unknown): text is Language => languages.some(language => language === text)
