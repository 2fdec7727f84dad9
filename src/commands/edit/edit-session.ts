import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { App } from '../../app.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { Failure } from '../../failure.ts'
import { sanitizeLine } from '../../text/sanitize.ts'
import { type Edited, readDocuments, writeDocuments } from './yaml-documents.ts'

/**
 * The command `edit`: records come in; the fields that were changed in an editor go out. `yaml-documents.ts` writes and reads the
 * file. A file with mistakes is opened again with the message on top; if it is saved unchanged, it is kept, and the failure names
 * its path. It is kept as well if what was edited cannot be sent.
 */
export async function editRecords(
  app: App,
  resource: Resource,
  records: readonly Answer[],
  send: (edited: readonly Edited[]) => Promise<void>,
): Promise<void> {
  const { edited, file } = await editFile(app, resource, records)
  try {
    await send(edited)
  } catch (error) {
    throw error instanceof Failure ? withPath(error, file) : error
  }
  await rm(dirname(file), { recursive: true })
}

const withPath = ({ kind, message, details }: Failure, file: string): Failure =>
  new Failure(kind, message, {
    ...details,
    hint: [details.hint, `your changes are in ${file}`].filter(part => part).join('; '),
  })

async function editFile(app: App, resource: Resource, records: readonly Answer[]) {
  const { env } = app.world
  const editor = env.VISUAL || env.EDITOR || 'vi'
  const file = join(await mkdtemp(join(tmpdir(), 'calctl-')), `${resource.name}.yaml`)
  let text = writeDocuments(resource, records)
  for (;;) {
    await writeFile(file, text, { mode: 0o600 })
    const status = await app.world.edit(editor, file)
    if (status !== 0) throw editorFailed(editor, status, file)
    const saved = await readFile(file, 'utf8')
    try {
      return { edited: readDocuments(resource, records, saved, app.world.now()), file }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (saved === text) throw abandoned(error, file)
      text = withMessage(saved, error)
    }
  }
}

/** Puts the message on the first line, and removes an earlier one. */
const withMessage = (text: string, { message, details }: Failure): string =>
  `#! ${sanitizeLine(`${message}${details.hint ? ` (${details.hint})` : ''}`)}\n${text.replace(/^#! .*\n/, '')}`

const editorFailed = (editor: string, status: number, file: string) =>
  new Failure('settings', `the editor "${editor}" exited with status ${status}; nothing was sent`, {
    hint: `set VISUAL or EDITOR; your changes are in ${file}`,
  })

const abandoned = ({ kind, message }: Failure, file: string) =>
  new Failure(kind, `${message}; nothing was sent`, { hint: `your changes are in ${file}` })
