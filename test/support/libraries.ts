import { join } from 'node:path'
import { built } from './built.ts'

const builtLibrary = (dist: string, name: string) => import(/* @vite-ignore */ join(dist, `${name}.mjs`))

/** `calctl/client`, of `src` or built. The types are those of its source. */
export const { createCalendarClient, CalendarError }: typeof import('../../src/client/library/calendar-client.ts') =
  await (built === undefined ? import('../../src/client/library/calendar-client.ts') : builtLibrary(built, 'client'))

/** `calctl/testing`, likewise. */
export const { startCalendar }: typeof import('../../src/testing/start-calendar.ts') = await (built === undefined
  ? import('../../src/testing/start-calendar.ts')
  : builtLibrary(built, 'testing'))
