import { languages } from '../../../contract/languages.ts'
import { shapeOf } from '../../../files/print/printed-rows.ts'

/**
 * What commands print apart from records: the columns of their tables, which are the keys of their JSON.
 */

export const profileShape = shapeOf(
  'name inUse baseUrl baseUrls lang_code namespace user secret frontUser frontSecret headers protected'.split(' '),
  { columns: ['name', 'inUse', 'baseUrl', 'lang_code', 'namespace', 'user', 'protected'], key: 'name' },
)

/** The checks of `calctl doctor`. */
export const checkShape = shapeOf(['check', 'state', 'found', 'hint', 'problem'], { key: 'check' })

/** What `calctl lint` finds. */
export const findingShape = shapeOf(
  'severity rule resource id lang_code title start_date field message fixable suggestion url'.split(' '),
  { columns: ['severity', 'rule', 'resource', 'id', 'title', 'message', 'suggestion'], key: 'id' },
)

/** The rules of `calctl lint`. */
export const ruleShape = shapeOf(['rule', 'severity', 'finds', 'why', 'remedy', 'resources', 'thresholds', 'fixable'], {
  columns: ['rule', 'severity', 'finds', 'remedy'],
  key: 'rule',
})

/** Pairs of possible duplicates. */
export const pairShape = shapeOf(['score', 'resource', 'first', 'second', 'why'], {
  columns: ['score', 'resource', 'first.id', 'first.title', 'second.id', 'second.title', 'why'],
})

/** Records of several kinds, found by a text. */
export const foundShape = shapeOf(['resource', 'id', 'title', 'start_date', 'status'], { key: 'id' })

const userFacts = ['profile', 'user', 'roles', 'write', 'publish', 'editOthers', 'upload']

/** The user of the credentials on a site. */
export const userShape = shapeOf(['calendar', ...userFacts], { columns: ['calendar.label', ...userFacts] })

const runFacts = ['run', 'command', 'started', 'state', 'steps', 'done', 'failed', 'unknown', 'left']

/** Runs, as `runs list` prints them. */
export const runListShape = shapeOf([...runFacts, 'calendar', 'undoes', 'plan'], {
  columns: [...runFacts, 'calendar.label'],
  key: 'run',
})

/** What calctl wrote: runs, or the writes to a record. */
export const historyShape = shapeOf(['run', 'started', 'command', 'state', 'what'], {
  key: 'run',
  below: 'what',
  whole: ['run', 'command', 'state'],
})

/** The translations of records: a column for each language. */
export const statusShape = shapeOf(['title', 'start_date', 'slug', ...languages, 'records'], {
  columns: ['title', 'start_date', ...languages],
  whole: languages,
})

/** The events that wait to be published. */
export const queueShape = shapeOf(
  ['id', 'title', 'status', 'start_date', 'lang_code', 'author', 'since', 'lacks', 'untranslated'],
  { columns: ['id', 'title', 'status', 'since', 'lacks'], key: 'id', below: 'lacks' },
)

/** How many events there are in each group. */
export const countShape = shapeOf(['value', 'events', 'cancelled', 'earlier', 'change', 'bar'], {
  key: 'value',
  title: 'value',
  whole: ['bar'],
})

/** The server of `calctl serve`. */
export const serverShape = shapeOf(['url', 'pid', 'file', 'token'], { columns: ['url'] })

/** What became of each source. */
export const sourceStatusShape = shapeOf(
  ['source', 'read', 'events', 'changes', 'conflicts', 'rejected', 'error', 'since'],
  { key: 'source' },
)

/** What waits for a person about the events of sources. */
export const reviewShape = shapeOf(['id', 'title', 'state', 'field', 'said', 'site', 'source', 'key'], { key: 'id' })

/** Which source said each field of an event. */
export const whyShape = shapeOf(['field', 'source', 'said', 'when', 'site', 'state'])

/** What changed in the calendar since a state of it was kept. */
export const changeShape = shapeOf(['state', 'resource', 'id', 'title', 'field', 'before', 'after'], { key: 'id' })

const stepFacts = ['action', 'resource', 'id', 'slug', 'title', 'start_date', 'field', 'before', 'after']

/** A row for each field that a plan changes, or for a step that changes none. */
export const stepShape = shapeOf(stepFacts, { key: 'id' })

/** The same for a run, with the result of each step. */
export const runShape = shapeOf(['state', ...stepFacts, 'error'], {
  columns: ['state', ...stepFacts, 'error.message'],
  key: 'id',
})
