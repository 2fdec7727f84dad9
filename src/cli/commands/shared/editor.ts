import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Failure } from '../../../base/failure.ts'
import type { App } from '../../app.ts'

/** The path of a new file to edit, in a folder of its own, which only its user can read. Throws `declined` with --no-input. */
export async function newTempFile({ globals }: App, name: string): Promise<string> {
  if (globals.input === false)
    throw new Failure('declined', 'cannot open an editor with --no-input', { hint: 'leave it out, or use update' })
  return join(await mkdtemp(join(tmpdir(), 'calctl-')), name)
}

/** Removes a file of `newTempFile` with its folder. */
export const removeTempFile = (file: string): Promise<void> => rm(dirname(file), { recursive: true })

/** Writes a text to a file, opens it in the user's editor, and returns what was saved. */
export async function editFile({ world }: App, file: string, text: string): Promise<string> {
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
  new Failure('settings', `the editor "${editor}" exited with status ${status}; nothing was sent`, {
    hint: `set VISUAL or EDITOR; your changes are in ${file}`,
  })
