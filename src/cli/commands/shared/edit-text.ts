import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { badSettings } from '../../../base/failure.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { App } from '../../app.ts'

/**
 * Opens a text in the user's editor, and returns what was saved. If the editor fails, the file is kept, and the failure names its path.
 * Only the user can read its folder.
 */
export async function editText({ world }: App, name: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'calctl-'))
  const file = join(folder, name)
  const editor = world.env.VISUAL || world.env.EDITOR || 'vi'
  await writeFile(file, text, { mode: 0o600 })
  const status = await world.edit(editor, file)
  if (status !== 0) throw editorFailed(editor, status, file)
  const saved = await readFile(file, 'utf8')
  await rm(folder, { recursive: true })
  return saved
}

const editorFailed = (editor: string, status: number, file: string) =>
  badSettings(
    phrase('the editor "{editor}" exited with status {status}; nothing was sent', { editor, status }),
    phrase('set VISUAL or EDITOR; your changes are in {file}', { file }),
  )
