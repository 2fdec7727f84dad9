/** The shells that Tab works in. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const

type Shell = (typeof shells)[number]

/**
 * The scripts only pass on words and show the result, so they need not change with calctl. Nothing that is typed or offered is evaluated:
 * libraries for such scripts evaluate the line in bash, and need the package bash-completion there.
 */
export const shellScripts: Readonly<Record<Shell, string>> = {
  // Bash also splits words at = and : unless they are quoted, and replaces only what comes after them. It can show descriptions only in a
  // list of several completions; menus insert what they show, so they get no descriptions.
  bash: `# Completion of calctl for bash
_calctl() {
  local line=\${COMP_LINE:0:COMP_POINT} word value about last= lead= lines=() values=()
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
  fi
}
complete -F _calctl calctl
`,
  zsh: `#compdef calctl
# Completion of calctl for zsh
_calctl() {
  local -a lines candidates extra
  local line value about
  lines=("\${(@f)$(command calctl __complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  for line in $lines; do
    [[ $line == :* ]] && continue
    value=\${line%%$'\\t'*}
    about=\${line#*$'\\t'}
    [[ $about == $line ]] && about=
    candidates+=("\${value//:/\\\\:}:$about")
    [[ $value == "\${(Q)PREFIX}"* ]] || extra=(-U)
  done
  [[ $lines[-1] == :open ]] && extra+=(-S '')
  if [[ $lines[-1] == :files ]]; then
    _files
  elif (( $#candidates )); then
    _describe calctl candidates "\${extra[@]}"
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
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
    }
}
`,
}
