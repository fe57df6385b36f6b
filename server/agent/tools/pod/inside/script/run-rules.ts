import { hasOption, valuesOf, wordsOf } from './options'
import { type Call, cannotTell, noteWrite, type Reading, type Rule } from './reading'
import { type Arg, beginOf, shown, textOf } from './word'
import { placesOf } from './world'

/** The text of a file of the pod that is run as a script; null where it cannot be read, or is no script of a shell. */
function scriptAt(reading: Reading, file: Arg): string | null {
  const text = textOf(file)
  const places = text === null ? null : placesOf(reading.world, text)
  const [script, another] = places?.flatMap((at) => reading.world.textAt(at) ?? []) ?? []
  if (script === undefined || another !== undefined) return null
  return /^#!(?!\s*(\/usr)?\/bin\/(env\s+)?(ba|da)?sh\s)/.test(script) ? null : script
}

function readFile(reading: Reading, file: Arg): void {
  const script = scriptAt(reading, file)
  reading.found.runsFile = true
  if (script === null) cannotTell(reading, `what the script ${shown(file)} does`)
  else reading.readScript(script)
}

export const runsFile: Rule = ({ name }, reading) => readFile(reading, [name])

const source: Rule = ({ name, args }, reading) => {
  const [file] = args
  if (file) readFile(reading, file)
  else cannotTell(reading, `what ${name} reads`)
}

const shell: Rule = ({ name, args, input, isFed }, reading) => {
  const words = wordsOf(args, ['o', 'O', 'rcfile', 'init-file'], true)
  const [first] = words.operands
  if (isFed || hasOption(words, 's', 'rcfile', 'init-file')) return cannotTell(reading, `what ${name} runs`)
  if (hasOption(words, 'version', 'help')) return
  if (hasOption(words, 'c')) {
    const text = first && textOf(first)
    if (typeof text === 'string') return reading.readScript(text)
    return cannotTell(reading, `what ${name} -c runs`)
  }
  if (first) return readFile(reading, first)
  const given = input && textOf(input)
  if (typeof given === 'string') return reading.readScript(given)
  cannotTell(reading, `what ${name} reads from its input`)
}

const evaluates: Rule = ({ args, isFed }, reading) => {
  const texts = args.map(textOf)
  if (isFed || texts.includes(null)) return cannotTell(reading, 'what eval runs')
  reading.readScript(texts.join(' '))
}

const trap: Rule = ({ args }, reading) => {
  const [first] = wordsOf(args, [], true).operands
  const text = first && textOf(first)
  if (text === null) cannotTell(reading, 'what trap runs')
  else if (text && text !== '-' && !/^\d+$/.test(text)) reading.readScript(text)
}

const alias: Rule = ({ args }, reading) => {
  for (const arg of args) {
    const text = textOf(arg)
    if (text === null) cannotTell(reading, 'what an alias stands for')
    else if (text.includes('=')) reading.readScript(text.slice(text.indexOf('=') + 1))
  }
}

/** A command that runs the one after its own options and the given number of operands. */
const wraps =
  (valued: readonly string[] = [], skip = 0): Rule =>
  ({ name, args, isFed, input }, reading) => {
    const words = wordsOf(args, valued, true)
    if (name === 'command' && hasOption(words, 'v', 'V')) return
    if (name === 'time') for (const file of valuesOf(words, 'o', 'output')) noteWrite(reading, file, 'time')
    const inner = words.operands.slice(skip)
    if (inner.length > 0) reading.readWords(inner, { isFed, input })
    else if (isFed) cannotTell(reading, `what ${name} runs`)
  }

/** Variables by which a shell finds what it runs. */
const STEERS = /^(PATH|ENV|BASH_ENV|BASH_ALIASES|BASH_CMDS|PROMPT_COMMAND|PS4|SHELLOPTS|BASHOPTS)(\[|\+?=)/

export const steers = (text: string): boolean => STEERS.test(text)

const env: Rule = ({ args, isFed, input }, reading) => {
  const words = wordsOf(args, ['u', 'unset', 'C', 'chdir', 'S', 'split-string'], true)
  if (hasOption(words, 'S', 'split-string', 'C', 'chdir')) return cannotTell(reading, 'what env runs, or where')
  const start = words.operands.findIndex((arg) => !/^[A-Za-z_]\w*=/.test(beginOf(arg)))
  const settings = start < 0 ? words.operands : words.operands.slice(0, start)
  if (settings.some((arg) => steers(beginOf(arg)))) cannotTell(reading, 'what the names of commands mean')
  if (start >= 0) reading.readWords(words.operands.slice(start), { isFed, input })
}

/** Built-ins that set variables, and that read numbers and names as small programs. */
const declares: Rule = ({ name, args }, reading) => {
  if (args.some((arg) => steers(beginOf(arg)))) cannotTell(reading, 'what the names of commands mean')
  if (name === 'printf' && textOf(args[0] ?? []) !== '-v') return
  if (args.some((arg) => arg.some((piece) => piece !== null && /\$\(|`/.test(piece)))) {
    cannotTell(reading, `what ${name} runs`)
  }
}

const mapfile: Rule = ({ name, args }, reading) => {
  if (hasOption(wordsOf(args, ['d', 'n', 'O', 's', 'u', 'C', 'c']), 'C')) cannotTell(reading, `what ${name} runs`)
}

const ENDS = new Set([';', '+'])

const find: Rule = ({ args, isFed }, reading) => {
  if (isFed) cannotTell(reading, 'what find does with what it is given')
  for (let at = 0; at < args.length; at++) {
    const text = textOf(args[at] ?? [])
    if (text === '-delete') reading.found.acts.add('find -delete removes files')
    if (/^-f(print0?|printf|ls)$/.test(text ?? '')) noteWrite(reading, args[at + 1] ?? [null], 'find')
    if (!/^-(exec|execdir|ok|okdir)$/.test(text ?? '')) continue
    const rest = args.slice(at + 1)
    const end = rest.findIndex((arg) => ENDS.has(textOf(arg) ?? ''))
    const words = end < 0 ? rest : rest.slice(0, end)
    reading.readWords(
      words.map((word) => fill(word, '{}')),
      { isFed: false, input: undefined },
    )
    at += words.length
  }
}

/** A word in which a mark will be replaced by something unknown. */
const fill = (arg: Arg, mark: string): Arg =>
  arg
    .flatMap((piece) => (piece === null ? [null] : piece.split(mark).flatMap((part, i) => (i ? [null, part] : [part]))))
    .filter((piece) => piece !== '')

const xargs: Rule = ({ args }: Call, reading) => {
  const words = wordsOf(args, ['I', 'n', 'P', 'L', 'd', 's', 'a', 'E', 'max-args', 'max-procs', 'delimiter'], true)
  const mark = valuesOf(words, 'I')[0]
  if (words.operands.length === 0) return
  if (!mark) return reading.readWords([...words.operands, [null]], { isFed: true, input: null })
  const text = textOf(mark)
  if (text === null || text === '') return cannotTell(reading, 'what xargs runs')
  const filled = words.operands.map((word) => fill(word, text))
  reading.readWords(filled, { isFed: false, input: null })
}

/** Commands that run others. */
export const RUN_RULES: Record<string, Rule> = {
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
