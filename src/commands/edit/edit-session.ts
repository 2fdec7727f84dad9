import type { App } from '../../app.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { Failure } from '../../failure.ts'
import { sanitizeLine } from '../../text/escaping.ts'
import { editFile, newTempFile, removeTempFile } from '../shared/editor.ts'
import { type Edited, readDocuments, writeDocuments } from './yaml-documents.ts'

/**
 * The command `edit`: records come in; the fields that were changed in an editor go out. `yaml-documents.ts` writes and reads the
 * file. A file with mistakes is opened again with the message on top; if it is saved unchanged, or with a mistake ten
 * times, it is kept, and the failure names its path. It is kept as well if what was edited cannot be sent.
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
    hint: [details.hint, `your changes are in ${file}`].filter(part => part).join('; '),
  })

async function editUntilValid(app: App, resource: Resource, records: readonly Answer[]) {
  const file = await newTempFile(app, `${resource.name}.yaml`)
  let text = writeDocuments(resource, records)
  for (let round = 1; ; round++) {
    const saved = await editFile(app, file, text)
    try {
      return { edited: readDocuments(resource, records, saved, app.world.now()), file }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (saved === text || round === mostRounds) throw abandoned(error, file)
      text = withMessage(saved, error)
    }
  }
}

/** A script in place of an editor, such as `sed -i`, makes a mistake each time it is given the file. */
const mostRounds = 10

/** Puts the message on the first line, and removes an earlier one. */
const withMessage = (text: string, { message, details }: Failure): string =>
  `#! ${sanitizeLine(`${message}${details.hint ? ` (${details.hint})` : ''}`)}\n${text.replace(/^#! .*\n/, '')}`

const abandoned = ({ kind, message }: Failure, file: string) =>
  new Failure(kind, `${message}; nothing was sent`, { hint: `your changes are in ${file}` })
