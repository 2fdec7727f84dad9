import { join } from 'node:path'
import { usage } from '../../../base/failure.ts'
import { hidePassword } from '../../../base/text/secrets.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { readSource, type SourceReading } from '../../../sources/read-source.ts'
import type { Source, SourceKind } from '../../../sources/source.ts'
import { checkSource, readSourcesFile } from '../../../sources/sources-file.ts'
import type { App } from '../../app.ts'
import { changeFile } from '../../profiles/change-file.ts'
import { sourceWorld, writeSources } from './source-world.ts'

export interface AddOptions {
  readonly kind?: SourceKind
}

/** calctl sources add: reads the source, so that a mistyped place is noticed at once, and adds it to the file. */
export async function addSource(app: App, source: Source): Promise<void> {
  const { world } = app
  const path = join(world.cwd, 'sources.yaml')
  checkName(source, (await readSourcesFile(world.cwd))?.sources)
  checkSource(source)
  const said = sentenceOf(source, await readOnce(app, source, path))
  const addToFile = async () => {
    const before = await readSourcesFile(world.cwd)
    checkName(source, before?.sources)
    await writeSources(world, path, before, await withSource(before?.text ?? '', source))
  }
  await changeFile(path, addToFile, phrase('check that you may write to the folder'))
  await app.notice(said)
  if (hidePassword(source.place) !== source.place) await app.notice(secretInFile())
}

const secretInFile = (): string =>
  phrase('the key in this address is now in sources.yaml; to keep it out of the file, write there: {setting}', {
    setting: 'place: env:NAME',
  })

function checkName({ name }: Source, sources: readonly Source[] = []): void {
  if (sources.some(source => source.name === name))
    throw usage(
      phrase('there is a source named {name} already', { name }),
      phrase('choose another name, or change it in sources.yaml'),
    )
}

async function readOnce(app: App, source: Source, path: string) {
  const notices: string[] = []
  const reading = { notice: (text: string) => void notices.push(text), timezone: app.world.timeZone(), agent: 'calctl' }
  const read = await readSource(source, undefined, sourceWorld(app, { path }, reading))
  if (read.state === 'failed') throw read.failure
  for (const text of notices) await app.notice(text)
  return read
}

function sentenceOf({ name }: Source, reading: SourceReading): string {
  const count = reading.state === 'read' ? reading.records.length : 0
  return phrase('added {name}: {count, plural, one {# record} other {# records}}', { name, count })
}

/** The text of the file with one more source; comments and order stay. */
async function withSource(text: string, source: Source): Promise<string> {
  const { isSeq, parseDocument } = await import('yaml')
  const document = parseDocument(text)
  const list = document.get('sources')
  if (isSeq(list)) list.add(document.createNode(source))
  else document.set('sources', document.createNode([source]))
  return document.toString({ lineWidth: 0 })
}
