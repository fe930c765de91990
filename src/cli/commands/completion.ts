/** `engram completion`: shell scripts, generated from the commands. They complete without starting Node.js. */
import type { Command } from 'commander'
import { usageFailure } from '../console/failure.js'

interface Completed {
  /** Full name, such as `engram model pull`. */
  readonly command: string
  readonly children: readonly { readonly name: string; readonly summary: string }[]
  readonly options: readonly CompletedOption[]
}

interface CompletedOption {
  readonly flag: string
  readonly summary: string
  /** Possible values; undefined if any value may follow, null if none does. */
  readonly values: readonly string[] | undefined | null
}

const WRITERS: Readonly<Record<string, (completed: readonly Completed[]) => string>> = { bash: toBash, zsh: toZsh, fish: toFish }

export function printCompletion(shell: string, program: Command): void {
  const write = WRITERS[shell]
  if (write === undefined) throw usageFailure(`There is no completion for that shell: one of ${Object.keys(WRITERS).join(', ')}.`)
  process.stdout.write(write(completedOf(program, program.name())))
}

function completedOf({ commands, options }: Command, command: string): Completed[] {
  const own: Completed = {
    command,
    children: commands.map((child) => ({ name: child.name(), summary: plain(child.summary() || child.description()) })),
    options: [
      ...options.map(({ long, short, description, argChoices, flags }) => ({
        flag: long ?? short ?? flags,
        summary: plain(description),
        values: /[<[]/.test(flags) ? argChoices : null
      })),
      { flag: '--help', summary: 'print help', values: null }
    ]
  }
  return [own, ...commands.flatMap((child) => completedOf(child, `${command} ${child.name()}`))]
}

/** The first sentence, without characters that a shell interprets. */
function plain(text: string): string {
  return (text.split(/[.;(\n]/)[0] ?? '').replaceAll(/['"`$\\:[\]]/g, '').trim()
}

/**
 * Commands that may follow `engram`. Each script walks the words to find the current command, then offers its options; where nothing
 * matches, the shell offers files.
 */
function commandsOf([, ...completed]: readonly Completed[], separator: string): string {
  return completed.map(({ command }) => `'${command}'`).join(separator)
}

/** Options of a command with arguments are offered only once one is started. */
function toBash(completed: readonly Completed[]): string {
  const words = completed.map(({ command, children, options }) => {
    const offered = [...children.map(({ name }) => name), ...options.map(({ flag }) => flag)].join(' ')
    return `    '${command}') ${children.length > 0 ? '' : '[[ "$word" == -* ]] && '}words='${offered}' ;;`
  })
  const values = completed.flatMap(({ command, options }) =>
    options.flatMap(({ flag, values }) => (values == null ? [] : `    '${command} ${flag}') words='${values.join(' ')}' ;;`))
  )
  return `# bash completion of engram: source <(engram completion bash)
_engram() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command=engram words='' each
  for each in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "$command $each" in
      ${commandsOf(completed, '|')}) command+=" $each" ;;
    esac
  done
  case "$command" in
${words.join('\n')}
  esac
  case "$command $before" in
${values.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _engram engram
`
}

function toZsh(completed: readonly Completed[]): string {
  const known = completed.map(({ command, children, options }) => {
    const commands = children.map(({ name, summary }) => `'${name}:${summary}'`)
    const flags = options.map(({ flag, summary, values }) => {
      const value = values === null ? '' : `:value:${values === undefined ? '_files' : `(${values.join(' ')})`}`
      return `'${flag}[${summary}]${value}'`
    })
    return `    '${command}')
      commands=(${commands.join(' ')})
      options=(${flags.join(' ')}) ;;`
  })
  return `#compdef engram
# zsh completion of engram: engram completion zsh > "\${fpath[1]}/_engram"
_engram() {
  local command=engram each
  local -a commands options
  for each in "\${words[@]:1:$((CURRENT - 2))}"; do
    case "$command $each" in
      ${commandsOf(completed, '|')}) command+=" $each" ;;
    esac
  done
  case "$command" in
${known.join('\n')}
  esac
  if (( $#commands )) && [[ "$PREFIX" != -* ]]; then
    _describe command commands
  else
    _arguments $options '*:file:_files'
  fi
}
if [[ "$funcstack[1]" == _engram ]]; then _engram "$@"; else compdef _engram engram; fi
`
}

function toFish(completed: readonly Completed[]): string {
  const lines = completed.flatMap(({ command, children, options }) => {
    const complete = `complete -c engram -n '__engram_is ${command}'`
    return [
      ...children.map(({ name, summary }) => `${complete} -f -a ${name} -d '${summary}'`),
      ...options.map(({ flag, summary, values }) => {
        const value = values === null ? '' : values === undefined ? ' -r' : ` -x -a '${values.join(' ')}'`
        return `${complete} -l ${flag.replace(/^-+/, '')}${value} -d '${summary}'`
      })
    ]
  })
  return `# fish completion of engram: engram completion fish > ~/.config/fish/completions/engram.fish
function __engram_is
    set -l command engram
    for each in (commandline -opc)[2..]
        if contains "$command $each" ${commandsOf(completed, ' ')}
            set command "$command $each"
        end
    end
    test "$command" = "$argv"
end
${lines.join('\n')}
`
}
