import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Document, isMap, isScalar, Scalar, visit } from 'yaml'
import { badSettings, declined, Failure, forExample, usage } from '../../../base/failure.ts'
import { decodeEntities, escapeControls, hasControls, sanitizeLine } from '../../../base/text/escaping.ts'
import { isObject } from '../../../base/text/json.ts'
import { nearest } from '../../../base/text/similarity.ts'
import { unreadableWhen } from '../../../base/time/when.ts'
import { hasClocks } from '../../../base/time/zone.ts'
import { interfaceLanguage, phrase } from '../../../base/words/phrase.ts'
import type { Values } from '../../../client/client.ts'
import type { Field } from '../../../contract/field.ts'
import { checkTyped, equal } from '../../../contract/kinds/kind-values.ts'
import { knownValue, storedValue } from '../../../contract/record.ts'
import { type Answer, type Resource, writableFields } from '../../../contract/resource.ts'
import { recordNoun } from '../../../contract/resource-words.ts'
import { readYamlDocuments, type YamlDocument } from '../../../files/yaml-values.ts'
import type { App } from '../../app.ts'

/**
 * The command `edit`. Input: records. Output: the fields that were changed in an editor. A file with mistakes is opened again with the
 * message at its top. If it is saved unchanged, or with a mistake ten times, it is kept, and the failure names its path. It is also kept if
 * the changes cannot be sent.
 */
export async function editRecords(
  app: App,
  resource: Resource,
  records: readonly Answer[],
  send: (edited: readonly Edited[]) => Promise<void>,
): Promise<void> {
  const { edited, file } = await editUntilValid(app, resource, records)
  try {
    await send(edited)
  } catch (error) {
    throw error instanceof Failure ? withPath(error, file) : error
  }
  await removeTempFile(file)
}

const withPath = ({ kind, message, details }: Failure, file: string): Failure =>
  new Failure(kind, message, {
    ...details,
    hint: [details.hint, phrase('your changes are in {file}', { file })].filter(part => part).join('; '),
  })

async function editUntilValid(app: App, resource: Resource, records: readonly Answer[]) {
  const file = await newTempFile(app, `${resource.name}.yaml`)
  let text = writeDocuments(resource, records)
  for (let round = 1; ; round++) {
    const saved = await editFile(app, file, text)
    const isLast = saved === text || round === mostRounds || !app.canAsk
    const read = isLast ? saved : withMessageLine(saved)
    try {
      return { edited: readDocuments(resource, records, read, app.world.now()), file }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (isLast) throw abandoned(error, file)
      text = withMessage(saved, error)
    }
  }
}

/** A script used as editor, such as `sed -i`, makes the same mistake each time; without a terminal it is called once. */
const mostRounds = 10

/** A text with a line for the message, which its other lines will be seen below. */
const withMessageLine = (text: string): string => (text.startsWith('#! ') ? text : `#!\n${text}`)

/** Puts the message on the first line, in place of an earlier one. */
const withMessage = (text: string, { message, details }: Failure): string =>
  `#! ${sanitizeLine(`${message}${details.hint ? ` (${details.hint})` : ''}`)}\n${text.replace(/^#! .*\n/, '')}`

const abandoned = ({ kind, message }: Failure, file: string) =>
  new Failure(kind, phrase('{message}; nothing was sent', { message }), {
    hint: phrase('your changes are in {file}', { file }),
  })

/** A record and the fields that were changed in its document. */
interface Edited {
  readonly before: Answer
  readonly values: Values
}

/** Writes records as YAML documents, with a comment above each field that describes it. */
function writeDocuments(resource: Resource, records: readonly Answer[]): string {
  return records.map(record => writeDocument(resource, record)).join('---\n')
}

function writeDocument(resource: Resource, record: Answer): string {
  const document = new Document({ id: record.id, ...editable(resource, record) })
  document.commentBefore = ` ${phrase('{record} {id}: edit the fields, then save and close', { record: recordNoun(resource.name), id: record.id })}`
  if (isMap(document.contents))
    for (const { key } of document.contents.items) {
      const field = isScalar(key) ? resource.fields[String(key.value)] : undefined
      if (field && isScalar(key)) key.commentBefore = ` ${describe(field, record[String(key.value)])}`
    }
  // The editor runs in a terminal: what that cannot show is escaped, and read back as it was.
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === 'string' && hasControls(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE
    },
  })
  return escapeControls(document.toString({ lineWidth: 0 }))
}

/** The comment for a field: its description, and its choices or the names of linked records. */
function describe(field: Field, value: unknown): string {
  const links = [value].flat().filter(isObject)
  const names = links
    .map(({ name, venue, organizer }) => name ?? venue ?? organizer)
    .filter(name => typeof name === 'string')
    .map(name => sanitizeLine(decodeEntities(name)))
  const details = field.choices ?? names
  return details.length > 0
    ? `${field.words[interfaceLanguage()]}: ${details.join(', ')}`
    : field.words[interfaceLanguage()]
}

/** The writable fields, with links as IDs and texts without HTML entities. */
function editable(resource: Resource, record: Answer): Values {
  const fields = writableFields(resource).filter(
    ([name, { secret }]) => !secret || storedValue(name, record) !== undefined,
  )
  return Object.fromEntries(fields.map(([name, field]) => [name, editableValue(name, field, record)]))
}

function editableValue(name: string, field: Field, record: Answer): unknown {
  const value = knownValue(name, field, record)
  // A stored text is written back as it is.
  return typeof value === 'string' && storedValue(name, record) === undefined ? decodeEntities(value) : value
}

/** Reads the fields that were changed in the documents; throws a `Failure` that names the line of a mistake. */
function readDocuments(resource: Resource, records: readonly Answer[], text: string, now: Date): Edited[] {
  const recordsById = new Map(records.map(record => [record.id, record]))
  return readYamlDocuments(text, (reason, place) => mistake(place, reason))
    .filter(({ value }) => value !== null)
    .map(({ value: values, ...at }) => {
      if (!isObject(values)) throw mistake(undefined, phrase('expected one field per line'))
      const { id, ...fields } = values
      const before = recordsById.get(Number(id))
      if (!before)
        throw mistake(
          at.lineOf('id'),
          phrase('expected one of the IDs {list}, got {id}', {
            list: [...recordsById.keys()].join(', '),
            id: String(id),
          }),
        )
      return { before, values: changedValues(resource, before, { fields, ...at }, now) }
    })
    .filter(({ values }) => Object.keys(values).length > 0)
}

/** The fields of a record as they were saved in the editor, and the line of each. */
interface EditedDocument extends Pick<YamlDocument, 'lineOf' | 'commentOf'> {
  readonly fields: Values
}

function changedValues(resource: Resource, before: Answer, { fields, ...at }: EditedDocument, now: Date): Values {
  const original = editable(resource, before)
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    const field = resource.fields[name]
    if (!field || !(name in original)) throw mistake(at.lineOf(name), unknownField(resource, name))
    const wrong = (message: string, hint?: string) => mistake(at.lineOf(name), `${name}: ${message}`, hint)
    const comment = at.commentOf(name)
    if (comment !== undefined)
      throw wrong(phrase('"#{comment}" is a comment and would be left out; put the value in quotes', { comment }))
    if (equal(value, original[name])) continue
    values[name] = checkField(field, value, { now, zone: zoneOf(before), isEnd: name === 'end_date' }, wrong)
  }
  return values
}

function checkField(
  field: Field,
  value: unknown,
  { now, zone, isEnd }: { now: Date; zone: string; isEnd: boolean },
  wrong: (message: string, hint?: string) => Failure,
): unknown {
  if ((value === null || value === '') && !field.nonEmpty)
    return value === null && field.kind.shape !== 'picture' ? '' : value
  if (Array.isArray(value) && value.length === 0) return value
  if (field.kind.shape === 'moment') {
    const unread = unreadableWhen(isEnd, String(value), zone, now)
    if (unread) throw wrong(unread.message, unread.hint)
    return String(value)
  }
  const result = checkTyped(field, value)
  if (!result.ok && result.mistake) throw wrong(result.mistake.message, result.mistake.hint)
  if (!result.ok) throw wrong(phrase('expected {expected}', { expected: result.expected }), forExample(result.example))
  return result.value
}

function unknownField({ name: resource, fields }: Resource, name: string): string {
  const suggestion = nearest(name, Object.keys(fields))
  return suggestion
    ? phrase('{resource} have no field "{name}"; did you mean {suggestion}?', { resource, name, suggestion })
    : phrase('{resource} have no field "{name}"', { resource, name })
}

const mistake = (
  place: string | undefined,
  message: string,
  hint = phrase('fix it, or quit the editor without saving'),
) => usage(place === undefined ? message : `${place}: ${message}`, hint)

/** The zone of a record, only to tell dates from other texts; the moments that they mean are checked when they are resolved. */
function zoneOf({ timezone }: Answer): string {
  const zone = String(timezone || 'UTC')
  return hasClocks(zone) ? zone : 'UTC'
}

/** The path for a new file to edit, in a folder that only the user can read. Throws `declined` with --no-input. */
async function newTempFile({ globals }: App, name: string): Promise<string> {
  if (globals.input === false)
    throw declined(phrase('cannot open an editor with --no-input'), phrase('leave it out, or use update'))
  return join(await mkdtemp(join(tmpdir(), 'calctl-')), name)
}

/** Removes a file of `newTempFile` and its folder. */
const removeTempFile = (file: string): Promise<void> => rm(dirname(file), { recursive: true })

/** Writes a text to a file, opens it in the user's editor, and returns what was saved. */
async function editFile({ world }: App, file: string, text: string): Promise<string> {
  const editor = world.env.VISUAL || world.env.EDITOR || 'vi'
  await writeFile(file, text, { mode: 0o600 })
  const status = await world.edit(editor, file)
  if (status !== 0) throw editorFailed(editor, status, file)
  return readFile(file, 'utf8')
}

/** The same with a temporary file. */
export async function editText(app: App, name: string, text: string): Promise<string> {
  const file = await newTempFile(app, name)
  const saved = await editFile(app, file, text)
  await removeTempFile(file)
  return saved
}

const editorFailed = (editor: string, status: number, file: string) =>
  badSettings(
    phrase('the editor "{editor}" exited with status {status}; nothing was sent', { editor, status }),
    phrase('set VISUAL or EDITOR; your changes are in {file}', { file }),
  )
