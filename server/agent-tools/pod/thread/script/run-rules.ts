import { type CommandCall, type CommandRule, noteUnknown, noteWrite, type ScriptAnalysis } from './analysis'
import { hasOption, optionValues, parseOptions } from './options'
import { possiblePaths } from './script-context'
import { displayWord, knownPrefix, type ScriptWord, wordText } from './word'

/**
 * The text of a pod's file that is run as a shell script; null: it cannot be read, or is not one.
 */
function scriptAt(analysis: ScriptAnalysis, file: ScriptWord): string | null {
  const text = wordText(file)
  const places = text === null ? null : possiblePaths(analysis.context, text)
  const [script, another] = places?.flatMap((at) => analysis.context.textAt(at) ?? []) ?? []
  if (script === undefined || another !== undefined) return null
  return /^#!(?!\s*(\/usr)?\/bin\/(env\s+)?(ba|da)?sh\s)/.test(script) ? null : script
}

function readFile(analysis: ScriptAnalysis, file: ScriptWord): void {
  const script = scriptAt(analysis, file)
  analysis.findings.runsFile = true
  if (script === null) noteUnknown(analysis, `what the script ${displayWord(file)} does`)
  else analysis.readScript(script)
}

export const runFileRule: CommandRule = ({ name }, analysis) => readFile(analysis, [name])

const source: CommandRule = ({ name, args }, analysis) => {
  const [file] = args
  if (file) readFile(analysis, file)
  else noteUnknown(analysis, `what ${name} reads`)
}

const shell: CommandRule = ({ name, args, input, argsFromInput }, analysis) => {
  const words = parseOptions(args, ['o', 'O', 'rcfile', 'init-file'], true)
  const [first] = words.operands
  if (argsFromInput || hasOption(words, 's', 'rcfile', 'init-file')) return noteUnknown(analysis, `what ${name} runs`)
  if (hasOption(words, 'version', 'help')) return
  if (hasOption(words, 'c')) {
    const text = first && wordText(first)
    if (typeof text === 'string') return analysis.readScript(text)
    return noteUnknown(analysis, `what ${name} -c runs`)
  }
  if (first) return readFile(analysis, first)
  const given = input && wordText(input)
  if (typeof given === 'string') return analysis.readScript(given)
  noteUnknown(analysis, `what ${name} reads from its input`)
}

const evalRule: CommandRule = ({ args, argsFromInput }, analysis) => {
  const texts = args.map(wordText)
  if (argsFromInput || texts.includes(null)) return noteUnknown(analysis, 'what eval runs')
  analysis.readScript(texts.join(' '))
}

const trap: CommandRule = ({ args }, analysis) => {
  const [first] = parseOptions(args, [], true).operands
  const text = first && wordText(first)
  if (text === null) noteUnknown(analysis, 'what trap runs')
  else if (text && text !== '-' && !/^\d+$/.test(text)) analysis.readScript(text)
}

const alias: CommandRule = ({ args }, analysis) => {
  for (const arg of args) {
    const text = wordText(arg)
    if (text === null) noteUnknown(analysis, 'what an alias stands for')
    else if (text.includes('=')) analysis.readScript(text.slice(text.indexOf('=') + 1))
  }
}

/** A command that runs another one, which follows its options and `skip` operands. */
const wrapper =
  (valued: readonly string[] = [], skip = 0): CommandRule =>
  ({ name, args, argsFromInput, input }, analysis) => {
    const words = parseOptions(args, valued, true)
    if (name === 'command' && hasOption(words, 'v', 'V')) return
    if (name === 'time') for (const file of optionValues(words, 'o', 'output')) noteWrite(analysis, file, 'time')
    const inner = words.operands.slice(skip)
    if (inner.length > 0) analysis.readWords(inner, { argsFromInput, input })
    else if (argsFromInput) noteUnknown(analysis, `what ${name} runs`)
  }

/** Variables that decide what a shell runs. */
const SHELL_VARIABLES = /^(PATH|ENV|BASH_ENV|BASH_ALIASES|BASH_CMDS|PROMPT_COMMAND|PS4|SHELLOPTS|BASHOPTS)(\[|\+?=)/

export const steersShell = (text: string): boolean => SHELL_VARIABLES.test(text)

const env: CommandRule = ({ args, argsFromInput, input }, analysis) => {
  const words = parseOptions(args, ['u', 'unset', 'C', 'chdir', 'S', 'split-string'], true)
  if (hasOption(words, 'S', 'split-string', 'C', 'chdir')) return noteUnknown(analysis, 'what env runs, or where')
  const start = words.operands.findIndex((arg) => !/^[A-Za-z_]\w*=/.test(knownPrefix(arg)))
  const settings = start < 0 ? words.operands : words.operands.slice(0, start)
  if (settings.some((arg) => steersShell(knownPrefix(arg)))) noteUnknown(analysis, 'what the names of commands mean')
  if (start >= 0) analysis.readWords(words.operands.slice(start), { argsFromInput, input })
}

/** Built-ins that set variables, and that evaluate numbers and names as expressions. */
const declare: CommandRule = ({ name, args }, analysis) => {
  if (args.some((arg) => steersShell(knownPrefix(arg)))) noteUnknown(analysis, 'what the names of commands mean')
  if (name === 'printf' && wordText(args[0] ?? []) !== '-v') return
  if (args.some((arg) => arg.some((piece) => piece !== null && /\$\(|`/.test(piece)))) {
    noteUnknown(analysis, `what ${name} runs`)
  }
}

const mapfile: CommandRule = ({ name, args }, analysis) => {
  if (hasOption(parseOptions(args, ['d', 'n', 'O', 's', 'u', 'C', 'c']), 'C'))
    noteUnknown(analysis, `what ${name} runs`)
}

const ENDS = new Set([';', '+'])

const find: CommandRule = ({ args, argsFromInput }, analysis) => {
  if (argsFromInput) noteUnknown(analysis, 'what find does with its input')
  for (let at = 0; at < args.length; at++) {
    const text = wordText(args[at] ?? [])
    if (text === '-delete') analysis.findings.actions.add('find -delete removes files')
    if (/^-f(print0?|printf|ls)$/.test(text ?? '')) noteWrite(analysis, args[at + 1] ?? [null], 'find')
    if (!/^-(exec|execdir|ok|okdir)$/.test(text ?? '')) continue
    const rest = args.slice(at + 1)
    const end = rest.findIndex((arg) => ENDS.has(wordText(arg) ?? ''))
    const words = end < 0 ? rest : rest.slice(0, end)
    analysis.readWords(
      words.map((word) => fill(word, '{}')),
      { argsFromInput: false, input: undefined },
    )
    at += words.length
  }
}

/** A word in which a placeholder will be replaced by something unknown. */
const fill = (arg: ScriptWord, mark: string): ScriptWord =>
  arg
    .flatMap((piece) => (piece === null ? [null] : piece.split(mark).flatMap((part, i) => (i ? [null, part] : [part]))))
    .filter((piece) => piece !== '')

const xargs: CommandRule = ({ args }: CommandCall, analysis) => {
  const words = parseOptions(args, ['I', 'n', 'P', 'L', 'd', 's', 'a', 'E', 'max-args', 'max-procs', 'delimiter'], true)
  const mark = optionValues(words, 'I')[0]
  if (words.operands.length === 0) return
  if (!mark) return analysis.readWords([...words.operands, [null]], { argsFromInput: true, input: null })
  const text = wordText(mark)
  if (text === null || text === '') return noteUnknown(analysis, 'what xargs runs')
  const filled = words.operands.map((word) => fill(word, text))
  analysis.readWords(filled, { argsFromInput: false, input: null })
}

/** Commands that run other commands. */
export const RUN_RULES: Record<string, CommandRule> = {
  ...Object.fromEntries(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash'].map((name) => [name, shell])),
  ...Object.fromEntries(
    ['declare', 'typeset', 'local', 'export', 'readonly', 'let', 'unset', 'read', 'printf', 'getopts'].map((name) => [
      name,
      declare,
    ]),
  ),
  '.': source,
  source,
  eval: evalRule,
  trap,
  alias,
  env,
  find,
  xargs,
  mapfile,
  readarray: mapfile,
  command: wrapper(),
  builtin: wrapper(),
  exec: wrapper(['a']),
  nohup: wrapper(),
  time: wrapper(['o', 'f', 'output', 'format']),
  nice: wrapper(['n', 'adjustment']),
  timeout: wrapper(['s', 'k', 'signal', 'kill-after'], 1),
}
