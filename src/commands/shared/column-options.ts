import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { App } from '../../app.ts'
import { Failure, wrongValue } from '../../failure.ts'
import { ColumnMap, readColumnFile } from '../../files/csv/column-map.ts'
import { reason, storedFileProblem } from '../../fs.ts'
import { repeatable } from './options.ts'
import { checkWritable } from './output-files.ts'

/** What the headings of sheets mean. */
export interface ColumnOptions {
  readonly map?: readonly string[]
  readonly saveMap?: string
}

export const columnOptions = (command: Command): Command =>
  command
    .option(
      '--map <heading=column>',
      'Read the column with this heading as another one, or not at all: "Lloc=venue", "Notes=ignore", @FILE (repeatable)',
      repeatable,
    )
    .option('--save-map <file>', 'Save the meanings of headings, including your answers, for: --map @FILE')

/** The map of the options; asks at a terminal about headings that look like known ones. */
export async function openColumnMap(app: App, { map = [], saveMap }: ColumnOptions): Promise<ColumnMap> {
  const isThis = async (heading: string, known: string) => {
    const { askYesNo } = await import('../../terminal/prompts.ts')
    return askYesNo(app.world, `Is "${heading}" the column "${known}"?`)
  }
  const columns = app.canAsk ? new ColumnMap(isThis) : new ColumnMap()
  for (const text of map)
    for (const [heading, column] of text.startsWith('@') ? await readFile(app, text.slice(1)) : [readPair(text)])
      columns.set(heading, column)
  if (saveMap !== undefined) checkTarget(resolve(app.world.cwd, saveMap), saveMap)
  return columns
}

function readPair(text: string): [string, string] {
  const [, heading = '', column = ''] = /^(.*)=(.*)$/s.exec(text) ?? []
  if (heading.trim() !== '' && column.trim() !== '') return [heading, column]
  throw wrongValue('--map', 'HEADING=COLUMN, or a file as @columns.json', text, 'Lloc=venue')
}

async function readFile(app: App, name: string): Promise<[string, string][]> {
  const { bytesOfFile } = await import('./input.ts')
  const chunks: Uint8Array[] = []
  const bytes = bytesOfFile(app, name, { option: '--map', hint: 'pass a file that --save-map wrote' })
  for await (const chunk of bytes) chunks.push(chunk)
  const entries = readColumnFile(Buffer.concat(chunks).toString())
  if (entries) return entries
  throw new Failure('usage', `--map: ${name} is not a file of columns`, {
    hint: 'write headings and columns as JSON: {"Lloc": "venue", "Notes": "ignore"}',
  })
}

function checkTarget(path: string, name: string): void {
  const isFile = existsSync(path) && storedFileProblem(path) === undefined
  if (isFile && readColumnFile(readFileSync(path, 'utf8')) === undefined)
    throw new Failure('usage', `${name} exists and is not a file of columns`, {
      hint: 'name another file, or remove it first',
    })
  checkWritable(path, name)
}

/** Once all files have been read: refuses headings that none of them has, and keeps the map. */
export async function closeColumnMap(app: App, columns: ColumnMap, { saveMap }: ColumnOptions): Promise<void> {
  const failure = columns.unusedFailure()
  if (failure) throw failure
  if (saveMap === undefined) return
  const { writeFile } = await import('node:fs/promises')
  try {
    await writeFile(resolve(app.world.cwd, saveMap), columns.toText())
  } catch (error) {
    throw new Failure('settings', `cannot write ${saveMap}: ${reason(error as Error)}`, {
      hint: 'name another file with --save-map',
    })
  }
}
