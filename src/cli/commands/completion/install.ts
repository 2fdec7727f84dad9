import { existsSync, lstatSync, realpathSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { badSettings, usage } from '../../../base/failure.ts'
import { makeFolder, readStoredFile, writeAtomically } from '../../../base/fs.ts'
import { reason } from '../../../base/io-reasons.ts'
import { listOf } from '../../../base/text/sentence-parts.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { App } from '../../app.ts'
import { cannotWrite } from '../../failures.ts'
import { completionFile, inHome, inShellConfig } from '../../profiles/user-folders.ts'
import { confirm } from '../shared/confirmation.ts'

/** What sets up a shell: a script and, for shells that do not look for scripts, a line in their configuration file. */
interface Setup {
  readonly script: string
  readonly startup?: { readonly file: string; readonly line: string }
}

/** The end of our line in the user's file. */
const mark = '# calctl completion'

/** Writes the script and the line after a yes; says so if both exist already. */
export async function installCompletion(app: App, named: Shell | undefined): Promise<void> {
  const shell = named ?? shellOf(app)
  const { script, startup } = setupOf(app, shell)
  const changes = [
    ...(readText(script) === shellScripts[shell] ? [] : [phrase('will write {script}', { script })]),
    ...(startup && !hasLine(startup.file, startup.line) ? [phrase('will add to {file}: {line}', startup)] : []),
  ]
  if (changes.length === 0) return app.notice(phrase('completion for {shell} is already installed', { shell }))
  await ask(app, changes, phrase('Set up completion for {shell}?', { shell }))
  await write(script, shellScripts[shell])
  if (startup) await write(startup.file, withLine(readText(startup.file), startup.line))
  await app.notice(phrase('completion for {shell} is installed; it works in new shells', { shell }))
}

/** Removes the script and the line. */
export async function uninstallCompletion(app: App, named: Shell | undefined): Promise<void> {
  const shell = named ?? shellOf(app)
  const { script, startup } = setupOf(app, shell)
  const text = startup && readText(startup.file)
  const left = withoutLine(text)
  const changes = [
    ...(existsSync(script) ? [phrase('will remove {script}', { script })] : []),
    ...(startup && left !== text ? [phrase('will remove from {file}: {line}', startup)] : []),
  ]
  if (changes.length === 0) return app.notice(phrase('completion for {shell} is not installed', { shell }))
  await ask(app, changes, phrase('Remove completion for {shell}?', { shell }))
  if (startup && left !== undefined && left !== text) await replaceOrRemove(startup.file, left)
  remove(script)
  await app.notice(phrase('completion for {shell} is removed', { shell }))
}

/** Removes a file that contains only our line, because `install` has created it; a link belongs to the user's own files. */
async function replaceOrRemove(file: string, text: string): Promise<void> {
  if (text === '' && !lstatSync(file).isSymbolicLink()) remove(file)
  else await write(file, text)
}

async function ask(app: App, changes: readonly string[], question: string): Promise<void> {
  for (const change of changes) await app.notice(change)
  if (!app.globals.yes) await confirm(app, { question, declined: phrase('nothing was changed') })
}

/** The shell that most likely runs calctl: the user's login shell. */
function shellOf({ world }: App): Shell {
  const { SHELL: path = '' } = world.env
  const found = shells.find(shell => shell === basename(path))
  if (found) return found
  if (world.platform === 'win32') return 'powershell'
  throw usage(
    path === '' ? phrase('no shell given, and SHELL is not set') : phrase('unsupported shell: {path}', { path }),
    phrase('name one: calctl completion install {shells}', { shells: listOf(shells, 'or') }),
  )
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
    throw badSettings(
      phrase('cannot read {path}: {reason}', { path, reason: reason(error as Error, 'read') }),
      phrase('check that you may read it'),
    )
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

/** Writes a file of the user: follows links, and keeps its permissions. */
async function write(path: string, text: string): Promise<void> {
  try {
    makeFolder(dirname(path), 0o700)
    const target = existsSync(path) ? realpathSync(path) : path
    await writeAtomically(target, text, existsSync(target) ? statSync(target).mode & 0o777 : 0o644)
  } catch (error) {
    throw cannotWrite(path, error, checkRights())
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch (error) {
    throw cannotWrite(path, error, checkRights())
  }
}

const checkRights = () =>
  phrase('check that you may write there, or add the output of calctl completion to your shell yourself')

/** The shells that Tab works in. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const

export type Shell = (typeof shells)[number]

/**
 * The scripts only pass on words and show the result, so they need not change with calctl. Nothing that is typed or offered is evaluated:
 * libraries for such scripts evaluate the line in bash, and need the package bash-completion there.
 */
export const shellScripts: Readonly<Record<Shell, string>> = {
  // Bash also splits words at = and : unless they are quoted, and replaces only what comes after them. It can show descriptions only in a
  // list of several completions; menus insert what they show, so they get no descriptions. The common beginning of all completions replaces
  // the word, so a completion without one is added to keep a title that none of them begins with.
  bash: `# Completion of calctl for bash
_calctl() {
  local line=\${COMP_LINE:0:COMP_POINT} word value about last= lead= lines=() values=() other=
  word=\${line##*[[:space:]]}
  case $word in
    *[\\'\\"]*) lead=\${word%%[\\'\\"]*} ;;
    *[=:]*) lead=\${word%"\${word##*[=:]}"} ;;
  esac
  word=\${word#"$lead"}
  lead=\${lead//\\\\/}
  while IFS=$'\\t' read -r value about; do
    case $value in
      :*) last=$value ;;
      *)
        value=\${value#"$lead"}
        lines+=("$value\${about:+  ($about)}")
        [[ \${value,,} == "\${word,,}"* || $word == [\\'\\"]* ]] || other=1
        [[ $value == *[\\<\\>\\!]* && $word != [\\'\\"]* ]] && printf -v value %q "$value"
        values+=("$value")
        ;;
    esac
  done < <(command calctl __complete --line "$line" 2>/dev/null)
  COMPREPLY=()
  if [[ $last == :open ]]; then compopt -o nospace 2>/dev/null || :; fi
  if [[ $last == :files ]]; then
    compopt -o filenames 2>/dev/null || :
    while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "$word")
  elif ((\${#values[@]} > 1)) && [[ $COMP_TYPE == 63 ]]; then
    COMPREPLY=("\${lines[@]}")
  elif ((\${#values[@]} > 0)); then
    COMPREPLY=("\${values[@]}")
    if [[ $other && $COMP_TYPE == 9 ]] && ((\${#values[@]} > 1)); then COMPREPLY+=(' '); fi
  fi
}
complete -F _calctl calctl
`,
  zsh: `#compdef calctl
# Completion of calctl for zsh
_calctl() {
  local -a lines candidates extra
  local line value about other=
  lines=("\${(@f)$(command calctl __complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  for line in $lines; do
    [[ $line == :* ]] && continue
    value=\${line%%$'\\t'*}
    about=\${line#*$'\\t'}
    [[ $about == $line ]] && about=
    candidates+=("\${value//:/\\\\:}:$about")
    [[ $value == "\${(Q)PREFIX}"* ]] || extra=(-U)
    [[ \${(L)value} == "\${(LQ)PREFIX}"* ]] || other=1
  done
  [[ $lines[-1] == :open ]] && extra+=(-S '')
  if [[ $lines[-1] == :files ]]; then
    _files
  elif (( $#candidates )); then
    _describe calctl candidates "\${extra[@]}"
    if [[ -n $other && $#candidates -gt 1 ]]; then compstate[insert]= compstate[list]='list force'; fi
  fi
}
if [[ $funcstack[1] == _calctl ]]; then
  _calctl "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _calctl calctl
fi
`,
  fish: `# Completion of calctl for fish
function __calctl_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines (command calctl __complete -- $words[2..-1] "$current" 2>/dev/null)
    if test "$lines[-1]" = ':files'
        __fish_complete_path "$current"
    end
    string match --invert -- ':*' $lines
end
complete -c calctl -e
complete -c calctl -f -a '(__calctl_complete)'
`,
  powershell: `# Completion of calctl for PowerShell
Register-ArgumentCompleter -Native -CommandName calctl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $length = $cursorPosition - $commandAst.Extent.StartOffset
    $line = $commandAst.ToString().PadRight($length).Substring(0, $length)
    $lines = @(calctl __complete --line $line 2>$null)
    if ($lines.Count -gt 0 -and $lines[-1] -eq ':files') { return }
    foreach ($candidate in $lines) {
        if ($candidate.StartsWith(':')) { continue }
        $value, $about = $candidate -split "\`t", 2
        if (-not $about) { $about = $value }
        $text = if ($value -match '[<>]' -and $wordToComplete -notmatch '["'']') { "'$value'" } else { $value }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $about)
    }
}
`,
}
