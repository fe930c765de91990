/** `engram completion`: scripts for shells, made from the commands themselves. They complete without starting Node.js. */
import type { Command } from 'commander'
import { usageFailure } from '../console/failure.js'

interface Completed {
  /** Words after `engram`: none, `backup`, or `model pull`. */
  readonly path: readonly string[]
  readonly commands: readonly { readonly name: string; readonly summary: string }[]
  readonly options: readonly CompletedOption[]
}

interface CompletedOption {
  readonly flag: string
  readonly summary: string
  /** What may follow; undefined where anything may, null where nothing does. */
  readonly values: readonly string[] | undefined | null
}

const WRITERS: Readonly<Record<string, (completed: readonly Completed[]) => string>> = { bash: toBash, zsh: toZsh, fish: toFish }

export function printCompletion(shell: string, program: Command): void {
  const write = WRITERS[shell]
  if (write === undefined) throw usageFailure(`There is no completion for that shell: one of ${Object.keys(WRITERS).join(', ')}.`)
  process.stdout.write(write(completedOf(program, [])))
}

function completedOf(command: Command, path: readonly string[]): Completed[] {
  const own: Completed = {
    path,
    commands: command.commands.map((child) => ({ name: child.name(), summary: plain(child.summary() || child.description()) })),
    options: [
      ...command.options.map(({ long, short, description, argChoices, flags }) => ({
        flag: long ?? short ?? flags,
        summary: plain(description),
        values: /[<[]/.test(flags) ? argChoices : null
      })),
      { flag: '--help', summary: 'print help', values: null }
    ]
  }
  return [own, ...command.commands.flatMap((child) => completedOf(child, [...path, child.name()]))]
}

/** The first sentence, without what a shell reads. */
function plain(text: string): string {
  return (text.split(/[.;(\n]/)[0] ?? '').replaceAll(/['"`$\\:[\]]/g, '').trim()
}

/** Names of commands, apart: an argument may be called like one. */
function commandsOf(completed: readonly Completed[]): string {
  return completed.flatMap(({ path }) => (path.length === 0 ? [] : [path.join('_')])).join('|')
}

function toBash(completed: readonly Completed[]): string {
  const cases = completed.map(({ path, commands, options }) => {
    const words = [...commands.map(({ name }) => name), ...options.map(({ flag }) => flag)].join(' ')
    const valued = options.flatMap(({ flag, values }) =>
      values == null ? [] : [`      ${flag}) COMPREPLY=($(compgen -W '${values.join(' ')}' -- "$word")); return ;;`]
    )
    const values = valued.length === 0 ? [] : ['    case "$before" in', ...valued, '    esac']
    return [`  ${path.length === 0 ? "''" : path.join('_')})`, ...values, `    words='${words}' ;;`].join('\n')
  })
  return `# bash completion of engram: source <(engram completion bash)
_engram() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path='' words='' at next
  for ((at = 1; at < COMP_CWORD; at++)); do
    next="\${path:+\${path}_}\${COMP_WORDS[at]}"
    case "$next" in
      ${commandsOf(completed)}) path="$next" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  if [[ "$word" == -* || "$path" == '' || "$words" != -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  fi
  # What is no command and no option is a file or a name.
  if [[ \${#COMPREPLY[@]} -eq 0 && "$word" != -* ]]; then
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _engram engram
`
}

function toZsh(completed: readonly Completed[]): string {
  const cases = completed.map(({ path, commands, options }) => {
    const described = commands.map(({ name, summary }) => `      '${name}:${summary}'`)
    const flags = options.map(({ flag, summary, values }) => {
      const argument = values === null ? '' : `:value:${values === undefined ? '_files' : `(${values.join(' ')})`}`
      return `      '${flag}[${summary}]${argument}'`
    })
    return [
      `    ${path.length === 0 ? "''" : path.join('_')})`,
      ...(described.length > 0 ? ['      commands=(', ...described, '      )'] : []),
      '      options=(',
      ...flags,
      '      ) ;;'
    ].join('\n')
  })
  return `#compdef engram
# zsh completion of engram: engram completion zsh > "\${fpath[1]}/_engram"
_engram() {
  local path='' next word
  local -a commands options
  for word in "\${words[@]:1:$((CURRENT - 2))}"; do
    next="\${path:+\${path}_}$word"
    case "$next" in
      ${commandsOf(completed)}) path="$next" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  if (( \${#commands} )) && [[ "$PREFIX" != -* ]]; then
    _describe 'command' commands
  else
    _arguments "\${options[@]}" '*:file:_files'
  fi
}
if [[ "$funcstack[1]" == _engram ]]; then _engram "$@"; else compdef _engram engram; fi
`
}

function toFish(completed: readonly Completed[]): string {
  const lines = completed.flatMap(({ path, commands, options }) => {
    const [first, second] = path
    const children = commands.map(({ name }) => name).join(' ')
    const isHere =
      first === undefined
        ? '__fish_use_subcommand'
        : second !== undefined
          ? `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`
          : `__fish_seen_subcommand_from ${first}${children === '' ? '' : `; and not __fish_seen_subcommand_from ${children}`}`
    return [
      ...commands.map(({ name, summary }) => `complete -c engram -n '${isHere}' -f -a ${name} -d '${summary}'`),
      ...options.map(({ flag, summary, values }) => {
        const argument = values === null ? '' : values === undefined ? ' -r' : ` -x -a '${values.join(' ')}'`
        return `complete -c engram -n '${isHere}' -l ${flag.replace(/^-+/, '')}${argument} -d '${summary}'`
      })
    ]
  })
  return `# fish completion of engram: engram completion fish > ~/.config/fish/completions/engram.fish\n${lines.join('\n')}\n`
}
