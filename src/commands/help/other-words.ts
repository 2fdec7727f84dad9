/**
 * What people type who know other programs, and what it is called here: the words on the left stand for the words on the right.
 * `…` is what was typed after the word. Of several options, a command has the first that it knows.
 */
export const verbWords: readonly (readonly [words: string, meaning: string])[] = [
  ['add new insert make', 'create …'],
  ['rm remove trash del erase drop', 'delete …'],
  ['show view read info open cat', 'get …'],
  ['ls all', 'list …'],
  ['search find query grep', 'list --search …'],
  ['set change modify patch put', 'update …'],
  ['move reschedule postpone shift', 'update … --shift +7d'],
  ['cancel unpublish hide', 'update … --status draft'],
  ['edit', 'edit …'],
  ['publish', 'update … --status publish'],
  ['untrash undelete recover', 'restore …'],
  ['log', 'history …'],
]

export const commandWords: readonly (readonly [words: string, meaning: string])[] = [
  ['import load sync', 'apply …'],
  ['upload', 'media upload …'],
  ['download backup dump', 'export …'],
  ['compare check preview plan', 'diff …'],
  ['config configure init setup connect auth signin', 'login …'],
  ['signout', 'logout …'],
  ['profile settings site sites calendars', 'profiles …'],
  ['status ping test', 'doctor …'],
  ['log', 'history …'],
  ['revert rollback', 'undo …'],
  ['server start', 'serve …'],
  ['request curl', 'api …'],
  ['openapi swagger schema', 'doc …'],
  ['man manual usage', 'help …'],
  ['completions', 'completion …'],
  ['version', '--version'],
  ['today', 'events list --today …'],
  ['week', 'events list --week …'],
  ['weekend', 'events list --weekend …'],
  ['place places location locations', 'venues …'],
  ['organiser organisers', 'organizers …'],
  ['label labels', 'tags …'],
]

export const optionWords: readonly (readonly [words: string, meanings: string])[] = [
  ['since after starting', '--from --starts-after'],
  ['until before till', '--to --starts-before'],
  ['date day when', '--on --start-date'],
  ['start starts begin begins', '--start-date'],
  ['end ends finish', '--end-date'],
  ['name title', '--title --venue --organizer --name --search'],
  ['category cat', '--categories'],
  ['tag label labels', '--tags'],
  ['venues place location where-at', '--venue'],
  ['organizers organiser by', '--organizer'],
  ['price', '--cost'],
  ['url link', '--website --base-url'],
  ['text body content', '--description'],
  ['photo picture', '--image'],
  ['move delay postpone', '--shift'],
  ['rrule recurring recurrence', '--repeat'],
  ['filter query', '--where --search'],
  ['sort-by order-by', '--sort --orderby'],
  ['count max first top', '--limit'],
  ['page-size size', '--per-page'],
  ['past', '--all-dates'],
  ['format out', '--output'],
  ['columns select', '--fields'],
  ['language locale', '--lang'],
  ['site account', '--profile'],
  ['host endpoint', '--base-url'],
  ['force assume-yes', '--yes'],
  ['dryrun simulate preview what-if', '--dry-run'],
  ['verbose trace', '--debug'],
  ['silent', '--quiet'],
  ['colour', '--color'],
  ['no-colour', '--no-color'],
  ['parallel concurrency threads workers', '--jobs'],
]

export const wordsIn = (text: string): string[] => text.split(' ')

/** What a word of a table stands for; undefined if it is none of them. */
export const meaningIn = (table: typeof verbWords, word: string): string | undefined =>
  table.find(([words]) => wordsIn(words).includes(word))?.[1]
