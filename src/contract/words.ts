/** The languages that content, descriptions and `lang_code` come in. */
export const languages = ['ca', 'en', 'es'] as const

export type Language = (typeof languages)[number]

/** One text in every language. */
export type Words = Readonly<Record<Language, string>>

export const say = (ca: string, en: string, es: string): Words => ({ ca, en, es })

export const isLanguage = (text: unknown): text is Language => languages.some(language => language === text)
