import { isObject } from '../../base/text/json.ts'
import { calendarOfSentence } from '../../client/site-discovery.ts'

/**
 * A plan, its first line, or a step, as any version of calctl saved it, with the names of today. The first versions had a sentence for the
 * calendar (`"origin":"the calendar file /srv/town.json"`); later ones had `language` where `lang_code` is now.
 */
export function withCurrentNames<T>(saved: T): T {
  if (!isObject(saved)) return saved
  const { origin, language, copyOf, ...others } = saved
  return {
    ...(typeof origin === 'string' && { calendar: calendarOfSentence(origin) }),
    ...(language !== undefined && { lang_code: language }),
    ...(copyOf !== undefined && { copyOf: withCurrentNames(copyOf) }),
    ...others,
  } as T
}
