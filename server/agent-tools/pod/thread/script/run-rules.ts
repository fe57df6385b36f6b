import { type CommandCall, type CommandRule, noteUnknown, noteWrite, type ScriptAnalysis } from './analysis'
import { hasOption, optionValues, parseOptions } from './options'
import { possiblePaths } from './script-context'
import { displayWord, knownPrefix, type ScriptWord, wordText } from './word'

/** The text of a file of the pod that is run as a script; null where it cannot be read, or is no script of a shell. */
function scriptAt(reading: ScriptAnalysis, file: ScriptWord): string | null {
  const text = wordText(file)
  const places = text === null ? null : possiblePaths(reading.world, text)
  const [script, another] = places?.flatMap((at) => reading.world.textAt(at) ?? []) ?? []
  if (script === undefined || another !== undefined) return null
  return /^#!(?!\s*(\/usr)?\/bin\/(env\s+)?(ba|da)?sh\s)/.test(script) ? null : script
}

function readFile(reading: ScriptAnalysis, file: ScriptWord): void {
  const script = scriptAt(reading, file)
  reading.found.runsFile = true
  if (script === null) noteUnknown(reading, `what the script ${displayWord(file)} does`)
  else reading.readScript(script)
}

export const runFileRule: CommandRule = ({ name }, reading) => readFile(reading, [name])

const source: CommandRule = ({ name, args }, reading) => {
  const [file] = args
  if (file) readFile(reading, file)
  else noteUnknown(reading, `what ${name} reads`)
}

const shell: CommandRule = ({ name, args, input, isFed }, reading) => {
  const words = parseOptions(args, ['o', 'O', 'rcfile', 'init-file'], true)
  const [first] = words.operands
  if (isFed || hasOption(words, 's', 'rcfile', 'init-file')) return noteUnknown(reading, `what ${name} runs`)
  if (hasOption(words, 'version', 'help')) return
  if (hasOption(words, 'c')) {
    const text = first && wordText(first)
    if (typeof text === 'string') return reading.readScript(text)
    return noteUnknown(reading, `what ${name} -c runs`)
  }
  if (first) return readFile(reading, first)
  const given = input && wordText(input)
  if (typeof given === 'string') return reading.readScript(given)
  noteUnknown(reading, `what ${name} reads from its input`)
}

const evaluates: CommandRule = ({ args, isFed }, reading) => {
  const texts = args.map(wordText)
  if (isFed || texts.includes(null)) return noteUnknown(reading, 'what eval runs')
  reading.readScript(texts.join(' '))
}

const trap: CommandRule = ({ args }, reading) => {
  const [first] = parseOptions(args, [], true).operands
  const text = first && wordText(first)
  if (text === null) noteUnknown(reading, 'what trap runs')
  else if (text && text !== '-' && !/^\d+$/.test(text)) reading.readScript(text)
}

const alias: CommandRule = ({ args }, reading) => {
  for (const arg of args) {
    const text = wordText(arg)
    if (text === null) noteUnknown(reading, 'what an alias stands for')
    else if (text.includes('=')) reading.readScript(text.slice(text.indexOf('=') + 1))
  }
}

/** A command that runs the one after its own options and the given number of operands. */
const wraps =
  (valued: readonly string[] = [], skip = 0): CommandRule =>
  ({ name, args, isFed, input }, reading) => {
    const words = parseOptions(args, valued, true)
    if (name === 'command' && hasOption(words, 'v', 'V')) return
    if (name === 'time') for (const file of optionValues(words, 'o', 'output')) noteWrite(reading, file, 'time')
    const inner = words.operands.slice(skip)
    if (inner.length > 0) reading.readWords(inner, { isFed, input })
    else if (isFed) noteUnknown(reading, `what ${name} runs`)
  }

/** Variables by which a shell finds what it runs. */
const STEERS = /^(PATH|ENV|BASH_ENV|BASH_ALIASES|BASH_CMDS|PROMPT_COMMAND|PS4|SHELLOPTS|BASHOPTS)(\[|\+?=)/

export const steersShell = (text: string): boolean => STEERS.test(text)

const env: CommandRule = ({ args, isFed, input }, reading) => {
  const words = parseOptions(args, ['u', 'unset', 'C', 'chdir', 'S', 'split-string'], true)
  if (hasOption(words, 'S', 'split-string', 'C', 'chdir')) return noteUnknown(reading, 'what env runs, or where')
  const start = words.operands.findIndex((arg) => !/^[A-Za-z_]\w*=/.test(knownPrefix(arg)))
  const settings = start < 0 ? words.operands : words.operands.slice(0, start)
  if (settings.some((arg) => steersShell(knownPrefix(arg)))) noteUnknown(reading, 'what the names of commands mean')
  if (start >= 0) reading.readWords(words.operands.slice(start), { isFed, input })
}

/** Built-ins that set variables, and that read numbers and names as small programs. */
const declares: CommandRule = ({ name, args }, reading) => {
  if (args.some((arg) => steersShell(knownPrefix(arg)))) noteUnknown(reading, 'what the names of commands mean')
  if (name === 'printf' && wordText(args[0] ?? []) !== '-v') return
  if (args.some((arg) => arg.some((piece) => piece !== null && /\$\(|`/.test(piece)))) {
    noteUnknown(reading, `what ${name} runs`)
  }
}

const mapfile: CommandRule = ({ name, args }, reading) => {
  if (hasOption(parseOptions(args, ['d', 'n', 'O', 's', 'u', 'C', 'c']), 'C')) noteUnknown(reading, `what ${name} runs`)
}

const ENDS = new Set([';', '+'])

const find: CommandRule = ({ args, isFed }, reading) => {
  if (isFed) noteUnknown(reading, 'what find does with what it is given')
  for (let at = 0; at < args.length; at++) {
    const text = wordText(args[at] ?? [])
    if (text === '-delete') reading.found.acts.add('find -delete removes files')
    if (/^-f(print0?|printf|ls)$/.test(text ?? '')) noteWrite(reading, args[at + 1] ?? [null], 'find')
    if (!/^-(exec|execdir|ok|okdir)$/.test(text ?? '')) continue
    const rest = args.slice(at + 1)
    const end = rest.findIndex((arg) => ENDS.has(wordText(arg) ?? ''))
    const words = end < 0 ? rest : rest.slice(0, end)
    reading.readWords(
      words.map((word) => fill(word, '{}')),
      { isFed: false, input: undefined },
    )
    at += words.length
  }
}

/** A word in which a mark will be replaced by something unknown. */
const fill = (arg: ScriptWord, mark: string): ScriptWord =>
  arg
    .flatMap((piece) => (piece === null ? [null] : piece.split(mark).flatMap((part, i) => (i ? [null, part] : [part]))))
    .filter((piece) => piece !== '')

const xargs: CommandRule = ({ args }: CommandCall, reading) => {
  const words = parseOptions(args, ['I', 'n', 'P', 'L', 'd', 's', 'a', 'E', 'max-args', 'max-procs', 'delimiter'], true)
  const mark = optionValues(words, 'I')[0]
  if (words.operands.length === 0) return
  if (!mark) return reading.readWords([...words.operands, [null]], { isFed: true, input: null })
  const text = wordText(mark)
  if (text === null || text === '') return noteUnknown(reading, 'what xargs runs')
  const filled = words.operands.map((word) => fill(word, text))
  reading.readWords(filled, { isFed: false, input: null })
}

/** Commands that run others. */
export const RUN_RULES: Record<string, CommandRule> = {
  ...Object.fromEntries(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash'].map((name) => [name, shell])),
  ...Object.fromEntries(
    ['declare', 'typeset', 'local', 'export', 'readonly', 'let', 'unset', 'read', 'printf', 'getopts'].map((name) => [
      name,
      declares,
    ]),
  ),
  '.': source,
  source,
  eval: evaluates,
  trap,
  alias,
  env,
  find,
  xargs,
  mapfile,
  readarray: mapfile,
  command: wraps(),
  builtin: wraps(),
  exec: wraps(['a']),
  nohup: wraps(),
  time: wraps(['o', 'f', 'output', 'format']),
  nice: wraps(['n', 'adjustment']),
  timeout: wraps(['s', 'k', 'signal', 'kill-after'], 1),
}
