import { existsSync, lstatSync, realpathSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Failure } from '../../../base/failure.ts'
import { makeFolder, readStoredFile, reason, writeAtomically } from '../../../base/fs.ts'
import { listOf } from '../../../base/text/words.ts'
import type { App } from '../../app.ts'
import { completionFile, inHome, inShellConfig } from '../../profiles/user-folders.ts'
import { confirm } from '../shared/confirmation.ts'
import { type Shell, shellScripts, shells } from './shell-scripts.ts'

/** What sets a shell up: a script, and for shells that do not look for scripts a line in their own file. */
interface Setup {
  readonly script: string
  readonly startup?: { readonly file: string; readonly line: string }
}

/** The end of the line that is ours in somebody else's file. */
const mark = '# calctl completion'

/** Writes the script and the line, after a yes; says so if both are there already. */
export async function installCompletion(app: App, named: Shell | undefined): Promise<void> {
  const shell = named ?? shellOf(app)
  const { script, startup } = setupOf(app, shell)
  const changes = [
    ...(readText(script) === shellScripts[shell] ? [] : [`write ${script}`]),
    ...(startup && !hasLine(startup.file, startup.line) ? [`add to ${startup.file}: ${startup.line}`] : []),
  ]
  if (changes.length === 0) return app.notice(`completion for ${shell} is installed already`)
  await ask(app, changes, `Set up completion for ${shell}?`)
  await write(script, shellScripts[shell])
  if (startup) await write(startup.file, withLine(readText(startup.file), startup.line))
  await app.notice(`completion for ${shell} is installed; it works in new shells`)
}

/** Removes the script and the line. */
export async function uninstallCompletion(app: App, named: Shell | undefined): Promise<void> {
  const shell = named ?? shellOf(app)
  const { script, startup } = setupOf(app, shell)
  const text = startup && readText(startup.file)
  const left = withoutLine(text)
  const changes = [
    ...(existsSync(script) ? [`remove ${script}`] : []),
    ...(startup && left !== text ? [`remove from ${startup.file}: ${startup.line}`] : []),
  ]
  if (changes.length === 0) return app.notice(`completion for ${shell} is not installed`)
  await ask(app, changes, `Remove completion for ${shell}?`)
  if (startup && left !== undefined && left !== text) await replaceOrRemove(startup.file, left)
  remove(script)
  await app.notice(`completion for ${shell} is removed`)
}

/** A file that has nothing but our line was made by `install`; a link belongs to somebody's own files. */
async function replaceOrRemove(file: string, text: string): Promise<void> {
  if (text === '' && !lstatSync(file).isSymbolicLink()) remove(file)
  else await write(file, text)
}

async function ask(app: App, changes: readonly string[], question: string): Promise<void> {
  for (const change of changes) await app.notice(`will ${change}`)
  if (!app.globals.yes) await confirm(app, { question, declined: 'nothing was changed' })
}

/** The shell that runs calctl most likely: the user's own. */
function shellOf({ world }: App): Shell {
  const { SHELL: path = '' } = world.env
  const found = shells.find(shell => shell === basename(path))
  if (found) return found
  if (world.platform === 'win32') return 'powershell'
  throw new Failure('usage', path === '' ? 'no shell given, and SHELL is not set' : `cannot complete in ${path}`, {
    hint: `name one: calctl completion install ${listOf(shells, 'or')}`,
  })
}

function setupOf({ world }: App, shell: Shell): Setup {
  const script = completionFile(world, shell)
  const { ZDOTDIR } = world.env
  switch (shell) {
    case 'fish':
      return { script: inShellConfig(world, 'fish', 'completions', 'calctl.fish') }
    case 'bash':
      return { script, startup: { file: inHome(world, '.bashrc'), line: sourceLine(script) } }
    case 'zsh':
      return {
        script,
        startup: { file: ZDOTDIR ? join(ZDOTDIR, '.zshrc') : inHome(world, '.zshrc'), line: sourceLine(script) },
      }
    case 'powershell':
      return {
        script,
        startup: { file: powershellProfile(world), line: `. '${script.replaceAll("'", "''")}' ${mark}` },
      }
  }
}

const sourceLine = (script: string): string => {
  const word = `'${script.replaceAll("'", "'\\''")}'`
  return `[ -f ${word} ] && . ${word} ${mark}`
}

const powershellProfile = (world: App['world']): string =>
  world.platform === 'win32'
    ? inHome(world, 'Documents', 'PowerShell', 'Microsoft.PowerShell_profile.ps1')
    : inShellConfig(world, 'powershell', 'Microsoft.PowerShell_profile.ps1')

function readText(path: string): string | undefined {
  try {
    return readStoredFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Failure('settings', `cannot read ${path}: ${reason(error as Error, 'read')}`, {
      hint: 'check that you may read it',
    })
  }
}

const hasLine = (file: string, line: string): boolean => readText(file)?.split('\n').includes(line) ?? false

/** The text with our line once, at its end. */
function withLine(text: string | undefined, line: string): string {
  const others = withoutLine(text) ?? ''
  return `${others}${others === '' || others.endsWith('\n') ? '' : '\n'}${line}\n`
}

const withoutLine = (text: string | undefined): string | undefined =>
  text
    ?.split(/(?<=\n)/)
    .filter(line => !line.trimEnd().endsWith(mark))
    .join('')

/** Writes a file of the user's: through links, with the permissions that it has. */
async function write(path: string, text: string): Promise<void> {
  try {
    makeFolder(dirname(path), 0o700)
    const target = existsSync(path) ? realpathSync(path) : path
    await writeAtomically(target, text, existsSync(target) ? statSync(target).mode & 0o777 : 0o644)
  } catch (error) {
    throw cannotWrite(path, error)
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch (error) {
    throw cannotWrite(path, error)
  }
}

const cannotWrite = (path: string, error: unknown): Failure =>
  new Failure('settings', `cannot write ${path}: ${reason(error as NodeJS.ErrnoException)}`, {
    hint: 'check that you may write there, or add the output of calctl completion to your shell yourself',
  })
