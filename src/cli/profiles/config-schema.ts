import { interfaceLanguages, phrase } from '../../base/words/phrase.ts'
import { parseBaseUrl } from '../../client/http/request.ts'
import { languages } from '../../contract/languages.ts'
import { settingMistake } from '../../contract/setting-mistakes.ts'
import * as z from '../../contract/zod.lib.ts'
import { isSource } from './credentials.ts'

const baseUrl = z.string().check(
  z.refine(text => 'baseUrl' in parseBaseUrl(text, '/'), {
    error: () => phrase('expected https://…, http://… or file:…'),
  }),
)
const source = z.string().check(z.refine(isSource, { error: () => phrase('expected env:NAME, command:… or file:…') }))

const profile = z.strictObject({
  baseUrl: z.optional(baseUrl),
  baseUrls: z.optional(z.partialRecord(z.enum(languages), baseUrl)),
  lang: z.optional(z.enum(languages)),
  ui: z.optional(z.enum(interfaceLanguages)),
  namespace: z.optional(z.string()),
  user: z.optional(z.string()),
  secret: z.optional(source),
  frontUser: z.optional(z.string()),
  frontSecret: z.optional(source),
  headers: z.optional(z.record(z.string(), source)),
  protected: z.optional(z.boolean()),
})

const config = z.strictObject({
  current: z.optional(z.string()),
  profiles: z._default(z.record(z.string(), profile), {}),
})

/** Checks the contents of the configuration file. Throws what `problem` makes of the first mistake and its path. */
export function checkConfig(value: unknown, problem: (what: string) => Error) {
  const checked = z.safeParse(config, value)
  if (checked.success) return checked.data
  const [first] = checked.error.issues
  if (!first) throw problem(phrase('not a configuration'))
  throw problem([first.path.join('.'), settingMistake(first)].filter(part => part !== '').join(': '))
}
