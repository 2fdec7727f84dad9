/** The languages of content, descriptions and `lang_code`. */
export const languages = ['ca', 'en', 'es'] as const

export type Language = (typeof languages)[number]

export type Words = Readonly<Record<Language, string>>

export const say = (ca: string, en: string, es: string): Words => ({ ca, en, es })

export const isLanguage = (text: unknown): text is Language => languages.some(language => language === text)
